"""Tracked pieces: what one seat knows of each piece, its history and which ranks are ruled out.

Everything comes from what the rules show that seat. Turns count from 1. Squares are cells, and
ranks are lines of the army list unless stated otherwise.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from games.rules.core.basics.pieces import Rank, Seat


class Why(StrEnum):
    """Why a piece has a rank, or does not have it."""

    MOVED = "moved"  # it moved, so it is no immobile piece
    WENT = "went"  # it went where not every piece can go
    FOUGHT = "fought"  # its rank was shown in a battle
    SHOWN = "shown"  # it is face up
    OWN = "own"  # it began on the reader's own side
    COUNTED = "counted"  # all other pieces of a rank are known
    SHARED = "shared"  # some other pieces, whose order is not known, are all pieces of a rank
    MOVERS = "movers"  # the pieces that have moved are all but the ranks that are left
    UNDEALT = "undealt"  # other pieces and those not dealt are all but the ranks that are left
    REST = "rest"  # other pieces are all but the ranks that are left
    PLAYED_ON = "played-on"  # it left the board, and the match goes on
    DEMOTED = "demoted"  # a volley demoted it
    FELL = "fell"  # a single arrow removed it
    SPARED = "spared"  # archers reached it and did not hit it
    SHOT = "shot"  # no other piece can have shot at a square
    HELD_FIRE = "held-fire"  # it did not shoot at a piece within reach
    OTHERS_SHOT = "others-shot"  # a piece was shot, and other archers account for all arrows


# The reasons that come from other pieces, so that no turn shows them.
DEDUCED = frozenset((Why.COUNTED, Why.SHARED, Why.MOVERS, Why.UNDEALT, Why.REST))
SEATS = tuple(Seat)
WHYS = {why.value: why for why in Why}
PLAIN = 3  # values in a dump that JSON keeps as they are: `rank`, `marked` and `open`


class Reason(NamedTuple):
    """Why some ranks are ruled out: when it happened and on which squares.

    If one rank is left afterwards, the piece is identified.
    """

    why: Why
    turn: int
    cells: tuple[int, ...]
    ruled_out: tuple[Rank, ...]


class Fight(NamedTuple):
    """A battle of one piece: both ranks as they were shown, and its result.

    `result` is from the view of this piece: `won`, `lost`, `both` (removed), `demoted` or
    `demoted-other`.
    """

    turn: int
    cell: int  # of the piece that was attacked
    attacked: bool  # whether this piece was the attacker
    rank: Rank
    other: Rank
    result: str


class Inference(NamedTuple):
    """What follows from a volley for one piece.

    `cell` is the cell of the piece, `about` the square that was hit or spared.
    """

    cell: int
    ruled_out: tuple[Rank, ...]
    why: Why
    about: int


class Shot(NamedTuple):
    """A hit by the other side's archers on a piece of the reader's.

    `suspects` are the squares on which the pieces began that may have shot; at least `least` of
    them and at most `most` are archers.
    """

    turn: int
    cell: int  # of the piece that was hit
    suspects: tuple[int, ...]
    least: int
    most: int


@dataclass(slots=True, repr=False)
class TrackedPiece:
    """One piece: where it began and is now, its history, and what it may be.

    `lines` are the lines of the army list that are not ruled out. `rank` is its rank on the board,
    None until the reader knows it. `open` says whether the other side knows it too. `path` and
    `hits` count turns as the module does.
    """

    seat: Seat  # its side now; in some editions pieces change sides
    raised_by: Seat  # the side on which it began
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
        """How many squares its steps have covered, on a board with that stride."""
        cells = [self.start, *(cell for _turn, cell in self.path)]
        return sum(
            max(abs(start // stride - end // stride), abs(start % stride - end % stride))
            for start, end in pairwise(cells)
        )

    @property
    def last_fight(self) -> Fight | None:
        """The last battle, in which its rank was shown; None before the first."""
        return self.fights[-1] if self.fights else None

    def rule_out(self, ranks: tuple[Rank, ...], why: Why, turn: int, *cells: int) -> bool:
        """Rule out some lines with a reason; False if nothing changes or no line would be left."""
        out = {*ranks}
        ruled_out = tuple([line for line in self.lines if line in out])
        if not ruled_out or len(ruled_out) == len(self.lines):
            return False
        self.reasons.append(Reason(why, turn, cells, ruled_out))
        self.lines = tuple([line for line in self.lines if line not in out])
        return True

    def dump(self, army: tuple[Rank, ...] = ()) -> list[Any]:
        """The piece as plain lists, for JSON; `load` reads them.

        Default values at the end are left out, and lines that are the whole army are None.
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


def load(values: list[Any], army: tuple[Rank, ...] = ()) -> TrackedPiece:
    """The piece that `TrackedPiece.dump` wrote."""
    seat, raised_by, start, cell, lines, *more = values
    # A page reads every piece, and calling an enumeration takes ten times as long as a look-up.
    side, raised = SEATS[seat], SEATS[raised_by]
    tracked = TrackedPiece(
        side, raised, start, cell, army if lines is None else tuple(lines), *more
    )
    if len(more) > PLAIN:
        tracked.path = [(turn, at) for turn, at in tracked.path]
        tracked.fights = [Fight(*fight) for fight in tracked.fights]
        tracked.reasons = [
            Reason(WHYS[why], turn, tuple(cells), tuple(ranks))
            for why, turn, cells, ranks in tracked.reasons
        ]
    return tracked
