"""Evidence: what one seat has noted of each piece since the set-ups, and why it may be what it may.

All of it is told to that seat by the rules: squares, moves, battles, volleys. Turns count from 1,
as moves do; squares are cells and ranks are lines of the army list unless it says otherwise.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from games.rules.core.basics.pieces import Rank, Seat


class Why(StrEnum):
    """The reasons for which a piece is a rank, or is not."""

    MOVED = "moved"  # it has gone one step: nothing that stands still
    WENT = "went"  # it has gone a way that not every piece can go
    FOUGHT = "fought"  # its rank was told in a battle
    SHOWN = "shown"  # it stands face up
    OWN = "own"  # it was raised by the reader's own side
    COUNTED = "counted"  # all pieces of a rank are accounted for elsewhere
    DEMOTED = "demoted"  # a volley has demoted it
    FELL = "fell"  # a single arrow has removed it
    SPARED = "spared"  # archers reached it and did not hit it
    SHOT = "shot"  # nothing else can have shot at a square
    HELD_FIRE = "held-fire"  # it did not shoot at a piece in its reach


SEATS = tuple(Seat)
WHYS = {why.value: why for why in Why}
PLAIN = 3  # values of a piece that JSON leaves as they are: its rank, `marked` and `open`


class Reason(NamedTuple):
    """Why some ranks are ruled out: when it happened and on which squares.

    A reason after which one rank is left has identified the piece.
    """

    why: Why
    turn: int
    cells: tuple[int, ...]
    ruled_out: tuple[Rank, ...]


class Fight(NamedTuple):
    """A battle of one piece: both ranks as they were told, and what came of it.

    `result` is for this piece: `won`, `lost`, `both` removed, `demoted`, `demoted-other`.
    """

    turn: int
    cell: int  # of the piece that was attacked
    attacked: bool  # whether this piece was the attacker
    rank: Rank
    other: Rank
    result: str


class Inference(NamedTuple):
    """What a volley tells of one piece: ranks that it rules out, and the square it is about."""

    cell: int
    ruled_out: tuple[Rank, ...]
    why: Why
    about: int


@dataclass(slots=True, repr=False)
class Traced:
    """One piece: where it began and stands, what befell it, and what it may be.

    `lines` are the lines of the army list that are left; `rank` is what it stands as, once that is
    known to the reader. `open` says whether the other side knows it too.
    """

    seat: Seat  # its side now; a game may let pieces change sides
    raised_by: Seat
    start: int
    cell: int
    lines: tuple[Rank, ...]
    rank: Rank | None = None
    marked: bool = False
    open: bool = False
    path: list[tuple[int, int]] = field(default_factory=list)  # turn and square of each step
    fights: list[Fight] = field(default_factory=list)
    hits: list[int] = field(default_factory=list)  # the turns before which volleys hit it
    reasons: list[Reason] = field(default_factory=list)
    fell: int | None = None  # the turn in which it left the board

    @property
    def moved(self) -> bool:
        """Whether it has ever moved or attacked."""
        return bool(self.path) or any(fight.attacked for fight in self.fights)

    def squares_gone(self, stride: int) -> int:
        """How many squares its steps have covered, on a board of that stride."""
        cells = [self.start, *(cell for _turn, cell in self.path)]
        return sum(
            max(abs(one // stride - other // stride), abs(one % stride - other % stride))
            for one, other in pairwise(cells)
        )

    @property
    def told(self) -> Fight | None:
        """The last battle in which its rank was told."""
        return self.fights[-1] if self.fights else None

    def rule_out(self, ranks: tuple[Rank, ...], why: Why, turn: int, *cells: int) -> bool:
        """Rule out some lines with a reason; False if that tells nothing new, or cannot be."""
        left = tuple(line for line in self.lines if line not in ranks)
        if not left or left == self.lines:
            return False
        self.reasons.append(
            Reason(why, turn, cells, tuple(line for line in self.lines if line in ranks))
        )
        self.lines = left
        return True

    def dump(self, army: tuple[Rank, ...] = ()) -> list[Any]:
        """The piece as plain lists, for JSON; `load` reads them.

        What it would be without is left out at the end, and so are lines that are the whole army.
        """
        lines = None if self.lines == army else self.lines
        more: list[Any] = [
            self.rank,
            self.marked,
            self.open,
            self.path,
            self.fights,
            self.hits,
            self.reasons,
            self.fell,
        ]
        while more and (more[-1] is None or more[-1] is False or more[-1] == []):
            more.pop()
        return [self.seat, self.raised_by, self.start, self.cell, lines, *more]


def load(values: list[Any], army: tuple[Rank, ...] = ()) -> Traced:
    """The piece that `Traced.dump` wrote."""
    seat, raised_by, start, cell, lines, *more = values
    # A page reads every piece; to call an enumeration takes ten times as long as to look it up.
    side, raised = SEATS[seat], SEATS[raised_by]
    one = Traced(side, raised, start, cell, army if lines is None else tuple(lines), *more)
    if len(more) > PLAIN:
        one.path = [(turn, at) for turn, at in one.path]
        one.fights = [Fight(*fight) for fight in one.fights]
        one.reasons = [
            Reason(WHYS[why], turn, tuple(cells), tuple(ranks))
            for why, turn, cells, ranks in one.reasons
        ]
    return one
