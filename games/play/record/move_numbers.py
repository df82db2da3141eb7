"""Move numbers for readers: "move 30" is the 30th turn of each side, as in the game record.

The record counts plies, some of which are not turns: set-ups, a resignation, an ending on time.
Pages never show ply numbers; only URLs contain them.
"""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.record.snapshot import Entry, Snapshot
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset


def turns_played(match: Match) -> int:
    """How many turns a match has had, without endings off the board and their reversals."""
    return 0 if match.opening is None else match.ply - match.opening - match.off_board


def turn_of(match: Match, number: int, off_board: Iterable[int]) -> int:
    """The number of the turn that a ply of the record is, or comes after."""
    return max(0, number - (match.opening or 0) - sum(ply <= number for ply in off_board))


def ply_of(match: Match, turn: int, off_board: Iterable[int]) -> int:
    """The ply of a turn, counted from the first move as in URLs."""
    opening = number = match.opening or 0
    number += turn
    for ply in off_board:
        number += ply <= number
    return number - opening


def numbered(view: Snapshot, entries: Iterable[Entry]) -> Iterator[tuple[Entry, int]]:
    """The turns among `entries`, oldest first, each with its turn number."""
    turns = [e for e in entries if e.kind == PlyKind.MOVE and e.number > (view.opening or 0)]
    before = view.observation.ply - sum(entry.number <= view.number for entry in turns)
    return ((entry, before + place) for place, entry in enumerate(turns, start=1))


def label(rules: Ruleset, turn: int) -> str:
    """The move number of a turn: "30", or "30 (South)" if North's turn is still to come."""
    number = str(move_number(turn))
    if turn % 2 == 0:
        return number
    seat = _(rules.seat_names[Seat.SOUTH])
    return _("%(number)s (%(seat)s)") % {"number": number, "seat": seat}


def after(view: Snapshot) -> str:
    """The move that the shown board comes after, as a sentence."""
    turn = view.observation.ply
    if not turn:
        return _("Before the first move")
    return _("After move %(move)s") % {"move": label(view.rules, turn)}
