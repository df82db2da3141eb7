"""Handlers: set-ups as drawn rows or as text, random and saved proposals, and keep."""

import re

from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.answering.set_up_sentences import row_sentences
from games.mail.models import MessageOutcome
from games.mail.reading.child.client import ReaderLost
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted
from games.notifications.models import Asks
from games.play.commands import moves
from games.play.models.match import Status
from games.play.models.setup import SavedSetup
from games.play.pasted.reader import ReaderAway
from games.play.record.match_view import MatchView
from games.play.setups import arrangement, library
from games.play.words.wording import refusal_texts
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.ruleset.base import Ruleset
from lib.spelling import typed_text

TILE_CELL = re.compile(r"[0-9]{2}|--?|\.")
CELL = re.compile(r"10|.")
DOTS = re.compile(r"\.+")
TYPOGRAPHY = str.maketrans(dict.fromkeys("_–—·", "."))  # replacements that mail programs make
VACANT_TILE = "--"


def set_up(context: MessageContext, command: Command) -> Answer:
    """Submit rows or points, or propose the named saved set-up."""
    view = context.view()
    if refusal := _nothing_to_set_up(context, view, _("a set-up")):
        return refusal
    if command.argument:
        refusal = _already_set_up(context, view, _("a set-up"))
        return refusal or _propose_saved(context, view, command.argument)
    if command.squares:
        return submit(context, view, ",".join(command.squares))
    assert view.seat is not None  # noqa: S101 - reply addresses are for players
    if words := _wrong_rows(view.rules, view.seat, command):
        return refusal_answers.refused(context, _("a set-up"), words)
    return submit(context, view, setup_text(view.rules, view.seat, command))


def propose(context: MessageContext, command: Command) -> Answer:
    """Propose a random set-up; "keep" submits it."""
    view = context.view()
    if refusal := _nothing_to_set_up(context, view, quoted("random")) or _already_set_up(
        context, view, quoted("random")
    ):
        return refusal
    assert view.seat is not None  # noqa: S101 - see above
    placed = moves.random_setup(view.match.pk, context.user)
    text = arrangement.to_text(view.rules, view.seat, placed)
    return _proposal(context, view, text, _("Proposed: a random set-up."))


def keep(context: MessageContext, command: Command) -> Answer:
    """Submit the set-up that the e-mail proposed."""
    view = context.view()
    if context.asks == Asks.CLOSED:
        return refusal_answers.question_closed(context, quoted("keep"))
    if not context.proposal:
        words = _("The e-mail you replied to does not propose a set-up.")
        return refusal_answers.refused(context, quoted("keep"), words)
    return submit(context, view, context.proposal)


def submit(context: MessageContext, view: MatchView, text: str) -> Answer:
    """Submit a set-up; the receipt draws it, or lists everything that is wrong."""
    understood = _("a set-up")
    try:
        assert view.seat is not None  # noqa: S101 - see above
        placed = arrangement.from_pasted(view.rules, view.seat, text)
        text = arrangement.to_text(view.rules, view.seat, placed)
        receipt = moves.submit_move(view.match.pk, context.user, text, None, waited=context.waited)
    except ReaderAway:
        raise ReaderLost from None
    except BadSetup as refusal:
        return refusal_answers.refused(context, understood, *refusal_texts(refusal))
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    if receipt.repeated:
        words = _("This set-up had already been sent; it counts only once.")
        return Answer(MessageOutcome.REPEATED, (words,), view.match.pk)
    return Answer(MessageOutcome.SET_UP, (_("You're ready. This is your set-up:"),), view.match.pk)


def is_setup_awaited(context: MessageContext) -> bool:
    """Whether the player still has to set up in the match of the e-mail."""
    if context.match_id is None:
        return False
    view = context.view()
    return view.my_turn and view.match.status == Status.SETUP


def find_saved_name(context: MessageContext) -> str:
    """The one saved set-up whose name fills a line of the message; "" if not exactly one."""
    if not is_setup_awaited(context):
        return ""
    view = context.view()
    lines = set(map(typed_text.folded, context.own_lines))
    names = library.fitting(context.user, view.rules).values_list("name", flat=True)
    matching = [name for name in names if typed_text.folded(name) in lines]
    return matching[0] if len(matching) == 1 else ""


def setup_text(rules: Ruleset, seat: Seat, command: Command) -> str:
    """The set-up in notation order: highest row first, files from a.

    An e-mail draws the owner's edge at the bottom, so North's rows are rotated by 180 degrees.
    Row numbers and file letters next to the rows take precedence.
    """
    tiles = presentation_of(rules.family).tiles
    rows = [
        (TILE_CELL if tiles else CELL).findall(row.translate(TYPOGRAPHY)) for row in command.rows
    ]
    if command.drawn:
        if command.row_numbers:
            by_number = sorted(zip(command.row_numbers, rows, strict=True), reverse=True)
            rows = [row for _number, row in by_number]
        elif seat is Seat.NORTH:
            rows = rows[::-1]
        is_mirrored = (
            command.files == "".join(sorted(command.files, reverse=True))
            if command.files
            else seat is Seat.NORTH
        )
        if is_mirrored:
            rows = [row[::-1] for row in rows]
    if tiles:
        return "/".join("".join(_tile(cell) for cell in row) for row in rows)
    texts = ["".join(row).replace("-", ".") for row in rows]
    # If ranks are written as numbers, empty squares stay dots.
    if rules.setup_aliases and rules.setup_aliases.numbers_ranks(rules, texts):
        return "/".join(texts)
    return "/".join(DOTS.sub(_run, text) for text in texts)


def _run(dots: re.Match[str]) -> str:
    return str(len(dots[0]))


def _tile(cell: str) -> str:
    return VACANT_TILE if set(cell) <= {".", "-"} else cell


def _wrong_rows(rules: Ruleset, seat: Seat, command: Command) -> str:
    """What is wrong with the row numbers; "" if nothing is."""
    own = sorted(rules.setup_rows(seat))
    if not own:
        return _(presentation_of(rules.family).setup_answer)
    if not command.row_numbers or sorted(command.row_numbers) == own:
        return ""
    return _("Your rows are %(first)s to %(last)s; you numbered other rows.") % {
        "first": own[0],
        "last": own[-1],
    }


def _propose_saved(context: MessageContext, view: MatchView, name: str) -> Answer:
    saved = library.find(library.fitting(context.user, view.rules), name)
    if saved is None or view.seat is None:
        words = _("You have no saved set-up with that name for this game.")
        return refusal_answers.refused(context, _("a saved set-up"), words)
    saved = SavedSetup.objects.get(pk=saved.pk)
    placed = library.take(context.user, view.rules, view.seat, str(saved.pk))
    text = arrangement.to_text(view.rules, view.seat, placed)
    words = _("Proposed: your saved set-up “%(name)s”.") % {"name": saved.name}
    return _proposal(context, view, text, words)


def _proposal(context: MessageContext, view: MatchView, text: str, words: str) -> Answer:
    assert view.seat is not None  # noqa: S101 - see above
    ask = _("Nothing is set up yet: reply “keep” to use it, or send another.")
    return Answer(
        MessageOutcome.ASKED,
        (words, ask),
        view.match.pk,
        board="",
        drawing=row_sentences(
            view.rules, view.seat, arrangement.from_text(view.rules, view.seat, text)
        ),
        asks=Asks.SETUP,
        proposal=text,
    )


def _nothing_to_set_up(context: MessageContext, view: MatchView, understood: str) -> Answer | None:
    """The refusal if this player has nothing to set up, or the match is over; else None."""
    if not view.match.is_live:
        return refusal_answers.over(context, understood)
    if view.match.status == Status.SETUP and view.seat not in view.rules.seats_setting_up:
        words = _("You have nothing to set up in this game; only your opponent does.")
        return refusal_answers.refused(context, understood, words)
    return None


def _already_set_up(context: MessageContext, view: MatchView, understood: str) -> Answer | None:
    """The refusal of a proposal if the player has already set up; else None."""
    if is_setup_awaited(context):
        return None
    if not view.match.is_at(context.ply):
        return refusal_answers.stale(context, understood)
    words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
    return refusal_answers.refused(context, understood, words)
