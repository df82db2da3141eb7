"""Practice board as its page shows it: a snapshot of the imagined position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString, mark_safe

from games.play.board.boards import Overlaid
from games.play.knowledge.memory import Known
from games.play.knowledge.overlay import REMEMBERED
from games.play.models.kind import PlyKind
from games.play.practice import progress
from games.play.practice.hidden_pieces import assumed_ranks, hidden_army
from games.play.practice.line import Line, Start
from games.play.record.match_view import MatchView
from games.play.record.snapshot import Entry, SeatedSnapshot
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.knowledge.repetitions import repetitions, turns_needed
from games.rules.core.observation import Observation, SeenPiece, observe

GUESSED = "guessed"  # the mark of a piece with a rank that its opponent only assumes
QUESTION = mark_safe("<i>?</i>")  # drawn on such a piece


@dataclass(frozen=True)
class PracticeBoard(SeatedSnapshot):
    """The board of a line. `seat` is the side to move; the viewpoint stays the reader's own."""

    page: str
    is_over: bool

    @property
    def address(self) -> str:
        """The URL path of the practice board."""
        return self.page

    @property
    def may_move(self) -> bool:
        """Whether a move may be chosen; for either side."""
        return not self.is_over


def start_of(view: MatchView, known: Known | None, guesses: Mapping[str, Rank]) -> Start:
    """The board on which the reader's lines begin, with their guesses."""
    army = hidden_army(view, known)
    needed = turns_needed(view.rules)
    return Start(
        rules=view.rules,
        seat=view.seat or Seat.SOUTH,
        seen=view.observation,
        army=army,
        ranks=assumed_ranks(view.rules, army, guesses, known.marks if known else {}),
        repeated=repetitions(view.rules, progress.last_turns(view, needed)),
    )


def board_of(view: MatchView, line: Line) -> PracticeBoard:
    """The snapshot of a line: own pieces, and those of the opponent as they are assumed."""
    rules, position, seat = view.rules, line.position, line.start.seat
    seen = observe(rules, position, Viewpoint.of_seat(seat))
    seen = replace(seen, pieces=seen.pieces | _assumed(line, seen), moves=line.moves)
    entries, number = view.entries, view.number
    if line.steps:
        number += len(line.steps)
        entries = (Entry(number, line.turn.other, PlyKind.MOVE, line.steps[-1].text),)
    return PracticeBoard(
        rules=rules,
        viewpoint=view.viewpoint,
        sides=view.sides,
        opening=view.opening,
        last=number,
        number=number,
        observation=seen,
        entries=entries,
        seat=line.turn,
        page=f"{view.address}practice/",
        is_over=line.is_over,
    )


def overlays(line: Line, page: str) -> dict[str, Overlaid]:
    """What is drawn on the opponent's hidden pieces: their links, and a sign of what is assumed."""
    overlaid = {}
    for square, first in line.where.items():
        certain = len(line.start.army.pieces[first].ranks) == 1
        sign = SafeString() if certain or first not in line.ranks else QUESTION
        overlaid[square] = Overlaid(f"{page}?piece={square}#guess", "", sign)
    return overlaid


def _assumed(line: Line, seen: Observation) -> dict[str, SeenPiece]:
    """The hidden pieces of the opponent that have a rank, by square, as they are drawn."""
    rules, position, foe = line.rules, line.position, line.start.seat.other
    # The moves are listed elsewhere.
    theirs = observe(rules, position._replace(listed=()), Viewpoint.of_seat(foe))
    assumed = {}
    for square, one in theirs.pieces.items():
        shown = seen.pieces[square]
        if one.seat is not foe or shown.rank is not None or square in line.open_pieces:
            continue
        first = line.where.get(square)
        certain = first is not None and len(line.start.army.pieces[first].ranks) == 1
        mark = REMEMBERED if certain else GUESSED
        assumed[square] = SeenPiece(foe, one.rank, shown.marks | {mark})
    return assumed
