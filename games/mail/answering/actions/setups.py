"""Set-ups by mail: rows as the e-mail draws them, texts of records, proposals, saved set-ups."""

import re

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.child.client import ReaderLost
from games.mail.reading.commands import Command
from games.notifications.models import Asks
from games.play.commands import moves
from games.play.models.match import Status
from games.play.models.setup import SavedSetup
from games.play.pasted.reader import ReaderAway
from games.play.record.match_view import MatchView
from games.play.setups import arrangement, library
from games.play.words.wording import refusal_texts
from games.presentation.registry import presentation_of
from games.rules import setup_aliases
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.ruleset.base import Ruleset

TILE_CELL = re.compile(r"[0-9]{2}|--?|\.")
CELL = re.compile(r"10|.")
DOTS = re.compile(r"\.+")
TYPOGRAPHY = str.maketrans(dict.fromkeys("_–—·", "."))  # what programs make of dots and dashes
VACANT_TILE = "--"


def set_up(case: Case, command: Command) -> Answer:
    """Set up the rows, the officers or the saved set-up that a message names."""
    view = case.view()
    if refusal := _not_now(case, view, _("a set-up")):
        return refusal
    if command.argument:
        stands = _stands_already(case, view, _("a set-up"))
        return stands or _propose_saved(case, view, command.argument)
    if command.squares:
        return send(case, view, ",".join(command.squares))
    assert view.seat is not None  # noqa: S101 - reply addresses are for players
    if words := _wrong_rows(view.rules, view.seat, command):
        return refusing.refused(case, _("a set-up"), words)
    return send(case, view, text_of(view.rules, view.seat, command))


def propose(case: Case, command: Command) -> Answer:
    """Propose a set-up at random; "keep" sets it up."""
    view = case.view()
    if refusal := _not_now(case, view, "random") or _stands_already(case, view, "random"):
        return refusal
    assert view.seat is not None  # noqa: S101 - as above
    placed = moves.random_setup(view.match.pk, case.user)
    text = arrangement.to_text(view.rules, view.seat, placed)
    return _proposal(case, view, text, _("Proposed: a random set-up."))


def keep(case: Case, command: Command) -> Answer:
    """Set up what an e-mail proposed."""
    view = case.view()
    if not case.proposal:
        words = _("The e-mail you replied to does not propose a set-up.")
        return refusing.refused(case, "keep", words)
    return send(case, view, case.proposal)


def send(case: Case, view: MatchView, text: str) -> Answer:
    """Send a set-up: it stands at once, and the receipt draws it; or all its faults are told."""
    understood = _("a set-up")
    try:
        assert view.seat is not None  # noqa: S101 - as above
        placed = arrangement.from_pasted(view.rules, view.seat, text)
        text = arrangement.to_text(view.rules, view.seat, placed)
        receipt = moves.submit_move(view.match.pk, case.user, text, None, waited=case.waited)
    except ReaderAway:
        raise ReaderLost from None
    except BadSetup as faults:
        return refusing.refused(case, understood, *refusal_texts(faults))
    except Refusal as refusal:
        return refusing.of(case, understood, refusal)
    if receipt.repeated:
        words = _("This set-up had already been sent; it counts only once.")
        return Answer(MessageOutcome.REPEATED, (words,), view.match.pk)
    return Answer(MessageOutcome.SET_UP, (_("You're ready. This is your set-up:"),), view.match.pk)


def is_awaited(case: Case) -> bool:
    """Whether the player's army does not stand yet in the match of the e-mail."""
    if case.match_id is None:
        return False
    view = case.view()
    return view.my_turn and view.match.status == Status.SETUP


def saved_in(case: Case) -> str:
    """The name of a saved set-up that fills a line of the message; "" if none does."""
    if not is_awaited(case):
        return ""
    view = case.view()
    lines = {line.strip().casefold() for line in case.own_lines}
    names = library.fitting(case.user, view.rules).values_list("name", flat=True)
    found = [name for name in names if name.casefold() in lines]
    return found[0] if len(found) == 1 else ""


def text_of(rules: Ruleset, seat: Seat, command: Command) -> str:
    """The text of a set-up in the notation's order: highest row first, files from a on.

    An e-mail draws the owner's own edge at the foot, so North's rows stand there upside down and
    from right to left; numbers and letters beside the rows decide, where they were written.
    """
    tiles = presentation_of(rules.family).tiles
    rows = [
        (TILE_CELL if tiles else CELL).findall(row.translate(TYPOGRAPHY)) for row in command.rows
    ]
    if command.drawn:
        if command.row_numbers:
            numbered = sorted(zip(command.row_numbers, rows, strict=True), reverse=True)
            rows = [row for _number, row in numbered]
        elif seat is Seat.NORTH:
            rows = rows[::-1]
        leftward = (
            command.files == "".join(sorted(command.files, reverse=True))
            if command.files
            else seat is Seat.NORTH
        )
        if leftward:
            rows = [row[::-1] for row in rows]
    if tiles:
        return "/".join("".join(_tile(cell) for cell in row) for row in rows)
    texts = ["".join(row).replace("-", ".") for row in rows]
    # Beside ranks that are written as numbers, empty squares stay dots.
    counts = setup_aliases.counts_ranks(rules, texts)
    return "/".join(texts if counts else [DOTS.sub(_run, text) for text in texts])


def _run(dots: re.Match[str]) -> str:
    return str(len(dots[0]))


def _tile(cell: str) -> str:
    return VACANT_TILE if set(cell) <= {".", "-"} else cell


def _wrong_rows(rules: Ruleset, seat: Seat, command: Command) -> str:
    """That the numbers written beside the rows are not those of the player's own rows."""
    own = sorted(rules.setup_rows(seat))
    if not own:
        return _(presentation_of(rules.family).setup_answer)
    if not command.row_numbers or sorted(command.row_numbers) == own:
        return ""
    return _("Your rows are %(first)s to %(last)s; you numbered other rows.") % {
        "first": own[0],
        "last": own[-1],
    }


def _propose_saved(case: Case, view: MatchView, name: str) -> Answer:
    saved = library.fitting(case.user, view.rules).filter(name__iexact=name.strip()).first()
    if saved is None or view.seat is None:
        words = _("You have no saved set-up with that name for this game.")
        return refusing.refused(case, _("a saved set-up"), words)
    saved = SavedSetup.objects.get(pk=saved.pk)
    placed = library.take(case.user, view.rules, view.seat, str(saved.pk))
    text = arrangement.to_text(view.rules, view.seat, placed)
    words = _("Proposed: your saved set-up “%(name)s”.") % {"name": saved.name}
    return _proposal(case, view, text, words)


def _proposal(case: Case, view: MatchView, text: str, words: str) -> Answer:
    from games.mail.answering.set_up_sentences import rows_of

    assert view.seat is not None  # noqa: S101 - as above
    ask = _("Nothing is set up yet: reply “keep” to use it, or send another.")
    return Answer(
        MessageOutcome.ASKED,
        (words, ask),
        view.match.pk,
        board="",
        drawing=rows_of(view.rules, view.seat, arrangement.from_text(view.rules, view.seat, text)),
        asks=Asks.SETUP,
        proposal=text,
    )


def _not_now(case: Case, view: MatchView, understood: str) -> Answer | None:
    """The answer where this player has nothing to set up, or no longer."""
    if not view.match.is_live:
        return refusing.over(case, understood)
    if view.match.status == Status.SETUP and view.seat not in view.rules.seats_setting_up:
        words = _("You have nothing to set up in this game; only your opponent does.")
        return refusing.refused(case, understood, words)
    return None


def _stands_already(case: Case, view: MatchView, understood: str) -> Answer | None:
    """The answer to who wants a set-up proposed where their army stands."""
    if is_awaited(case):
        return None
    if case.ply != view.number:
        return refusing.stale(case, understood)
    words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
    return refusing.refused(case, understood, words)
