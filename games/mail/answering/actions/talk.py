"""Handler: pass words on to the opponent, without what a mail program added below them."""

from __future__ import annotations

import re
from copy import copy
from itertools import product, takewhile

from django.conf import settings
from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers, unmarked_quotations
from games.mail.answering.actions.turns import plans
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.mail.reading.grammar.words_to_opponent import BREAK, WRAPPED
from games.notifications import catalogue
from games.notifications.email.composing import match_emails
from games.notifications.email.replies.answer_words import quoted
from games.notifications.email.replies.reply_addresses import About
from games.notifications.policy.notification import public_facts
from games.notifications.policy.preferences import BoardStyle
from games.play.record.match_view import MatchView, view_match
from games.play.record.snapshot import NoSuchPly
from games.rules.core.basics.refusals import Refusal
from games.talk import commands

FOUND_BY_CHARACTERS = 200  # of the first line of the words, which finds it among the own lines
# Less is found in any text, so that it must be a whole line of it.
MIN_WORDS, MIN_CHARACTERS = 3, 8
EMAILS = ("turn-came", "match-began")  # whose texts have all that e-mails about matches show

# The beginning of a proof line or of a player's receipt (docs/proofs.md), or a part of one that a
# mail program has wrapped. A receipt shows the whole army.
PROOF = re.compile(
    r"[\W_]{0,9}(?:head |sign |seal [A-Z] )?(?:estafette/[a-z]{1,9}/[0-9]|[0-9a-f]{16})"
)

REPLY_ADDRESS = re.compile(r"reply\+[a-z2-7]{26}@", re.IGNORECASE)
NAMED = re.compile(r"%\((\w+)\)s")


def say(context: MessageContext, command: Command) -> Answer:
    """Send the opponent the words; the receipt does not repeat them."""
    if context.match_id is None:
        words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        return refusal_answers.refused(context, quoted("say"), words)
    own_words = passed_on(context, command.argument)
    try:
        commands.say(context.match_id, context.user, own_words)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("say"), refusal)
    values = {"opponent": context.view().opponent, "number": context.match_id}
    sentences = [_("Your words were passed on to %(opponent)s in match %(number)s.") % values]
    is_cut = len(own_words) < len(command.argument)
    if is_cut:
        sentences.append(
            _(
                "The lines below them were not: they seem to be text of our e-mail. Leave a blank "
                "line below your words, so that it is clear where they end."
            )
        )
    return Answer(MessageOutcome.SAID, tuple(sentences), context.match_id, has_more=is_cut)


def passed_on(context: MessageContext, argument: str) -> str:
    """The words up to the first line that is text of the e-mail that was answered.

    That e-mail shows the player's own pieces. Mail programs may quote it without marks. If one did
    so without a blank line, only the line of the command counts, with what was wrapped of it:
    nothing tells for certain where the quotation begins.
    """
    first, *rest = re.split(f"([{BREAK}{WRAPPED}])", argument)
    if not rest:
        return first
    breaks, lines = rest[::2], rest[1::2]
    if unmarked_quotations.is_within_one(context.own_lines, first[:FOUND_BY_CHARACTERS]):
        wrapped = takewhile(lambda pair: pair[0] == WRAPPED, zip(breaks, lines, strict=True))
        lines = [line for _break, line in wrapped]
    own = _own_lines(context, lines) if lines else []
    ends = {BREAK: "\n", WRAPPED: " "}
    return first + "".join(ends[end] + line for end, line in zip(breaks, own, strict=False))


def without_ours(context: MessageContext, lines: list[str]) -> list[str]:
    """The lines that are no part of the e-mail that was answered, quoted without marks."""
    words_of = unmarked_quotations.words
    texts = _answered_texts(context) if context.match_id is not None else []
    running = [f" {words_of(text)} " for text in texts]
    return [
        line
        for line in lines
        if not any(f" {words_of(line)} " in text for text in running)
        and not unmarked_quotations.is_within_one(context.own_lines, line)
    ]


def _own_lines(context: MessageContext, lines: list[str]) -> list[str]:
    """The lines up to the first one that is text of the e-mail that was answered."""
    texts = _answered_texts(context)
    words_of = unmarked_quotations.words
    whole_lines = {words_of(line) for text in texts for line in text.splitlines()} - {""}
    cells = {word for text in texts for word in text.split() if len(word) == 1 and word.isalnum()}
    running = [f" {words_of(text)} " for text in texts]
    for number, line in enumerate(lines):
        words = words_of(line)
        # A short line may be the first part of a line of ours that was wrapped.
        with_next = words_of(" ".join(lines[number : number + 2]))
        if (
            words in whole_lines
            or PROOF.match(" ".join(lines[number : number + 2]).strip())
            or line.strip() in cells
            or settings.SITE_URL in line
            or REPLY_ADDRESS.search(line)
            or any(_is_in(part, text) for part in (words, with_next) for text in running)
        ):
            return lines[:number]
    return lines


def _answered_texts(context: MessageContext) -> list[str]:
    """What e-mails about the match said at the ply of the e-mail that was answered.

    With the board in both styles, since the player may have chosen another one since. And their
    plan, which receipts show.
    """
    assert context.match_id is not None  # noqa: S101 - checked above
    try:
        view = view_match(context.match_id, context.user, ply=context.ply)
    except NoSuchPly:
        view = context.view()
    if view.seat is None:
        return []
    texts, reader = [plans.shown_text(context.view()), *_titles(view)], copy(context.user)
    for name, style in product(EMAILS, BoardStyle.values):
        reader.notification_preferences = {"board_style": style}
        email = match_emails.write(catalogue.find(name), reader, view, "<x@x>", _no_address)
        texts.append(str(email.body))
    return texts


def _titles(view: MatchView) -> list[str]:
    """The first words of every e-mail about a match."""
    values = public_facts(view)
    titles = [str(each.title) for each in catalogue.NOTIFICATIONS.values() if each.title]
    return [title % values for title in titles if set(NAMED.findall(title)) == values.keys()]


def _no_address(_about: About) -> str:
    """A reply address that leads nowhere: without one, an e-mail would not ask for a set-up."""
    return "nobody@localhost"


def _is_in(words: str, text: str) -> bool:
    """Whether enough words, or characters, stand in a text, one after the other."""
    enough = len(words.split()) >= MIN_WORDS and len(words.replace(" ", "")) >= MIN_CHARACTERS
    return enough and f" {words} " in text
