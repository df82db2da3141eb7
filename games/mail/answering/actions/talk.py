"""Handler: pass words on to the opponent, without what a mail program added below them."""

from __future__ import annotations

import re
from copy import copy
from itertools import product

from django.conf import settings
from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.actions.turns import plans
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.mail.reading.grammar.words_to_opponent import BREAK, WRAPPED
from games.notifications import catalogue
from games.notifications.email.composing import match_emails
from games.notifications.email.replies.reply_addresses import About
from games.notifications.policy.preferences import BoardStyle
from games.play.record.match_view import view_match
from games.play.record.snapshot import NoSuchPly
from games.rules.core.basics.refusals import Refusal
from games.talk import commands

MIN_WORDS = 3  # fewer words are found in any text, so that they must be a whole line of it
EMAILS = ("turn-came", "match-began")  # whose texts have all that e-mails about matches show

# The beginning of a proof line or of a player's receipt (docs/proofs.md), or a part of one that a
# mail program has wrapped. A receipt shows the whole army.
PROOF = re.compile(
    r"[\W_]{0,9}(?:head |sign |seal [A-Z] )?(?:estafette/[a-z]{1,9}/[0-9]|[0-9a-f]{16})"
)


def say(context: MessageContext, command: Command) -> Answer:
    """Send the opponent the words; the receipt does not repeat them."""
    if context.match_id is None:
        words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        return refusal_answers.refused(context, "say", words)
    try:
        commands.say(context.match_id, context.user, passed_on(context, command.argument))
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, "say", refusal)
    values = {"opponent": context.view().opponent, "number": context.match_id}
    words = _("Your words were passed on to %(opponent)s in match %(number)s.") % values
    return Answer(MessageOutcome.SAID, (words,), context.match_id)


def passed_on(context: MessageContext, argument: str) -> str:
    """The words up to the first line that is text of the e-mail that was answered.

    That e-mail shows the player's own pieces. Mail programs may quote it without marks.
    """
    first, *rest = re.split(f"([{BREAK}{WRAPPED}])", argument)
    if not rest:
        return first
    breaks, lines = rest[::2], rest[1::2]
    own = _own_lines(context, lines)
    ends = {BREAK: "\n", WRAPPED: " "}
    return first + "".join(ends[end] + line for end, line in zip(breaks, own, strict=False))


def _own_lines(context: MessageContext, lines: list[str]) -> list[str]:
    """The lines up to the first one that is text of the e-mail that was answered."""
    texts = _answered_texts(context)
    whole_lines = {_words(line) for text in texts for line in text.splitlines()} - {""}
    cells = {word for text in texts for word in text.split() if len(word) == 1 and word.isalnum()}
    running = [f" {_words(text)} " for text in texts]
    for number, line in enumerate(lines):
        words = _words(line)
        # A short line may be the first part of a line of ours that was wrapped.
        with_next = _words(" ".join(lines[number : number + 2]))
        if (
            words in whole_lines
            or PROOF.match(" ".join(lines[number : number + 2]).strip())
            or line.strip() in cells
            or settings.SITE_URL in line
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
    texts, reader = [plans.shown_text(context.view())], copy(context.user)
    for name, style in product(EMAILS, BoardStyle.values):
        reader.notification_preferences = {"board_style": style}
        email = match_emails.write(catalogue.find(name), reader, view, "<x@x>", _no_address)
        texts.append(str(email.body))
    return texts


def _no_address(_about: About) -> str:
    """A reply address that leads nowhere: without one, an e-mail would not ask for a set-up."""
    return "nobody@localhost"


def _is_in(words: str, text: str) -> bool:
    """Whether enough words stand in a text, one after the other."""
    return len(words.split()) >= MIN_WORDS and f" {words} " in text


def _words(text: str) -> str:
    return " ".join(text.casefold().split())
