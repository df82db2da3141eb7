"""The actions a side can take, one small class for each form of the notation.

Squares are cells here (numbers, see `board`). Moves are values: two moves of the same class with
the same cells are equal.

The tables share one object for one move, since a small working set is what makes them fast.
"""

from dataclasses import dataclass, field
from typing import TypeVar, cast

from games.rules.core.army import Seat


class Move:
    """Any action."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Setup(Move):
    """A whole army put on the board: `cells` is a board's bytes with nothing else on it."""

    seat: Seat
    cells: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Walk(Move):
    """To an empty square, one step or more: `a4-a5`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """Against the enemy piece on `target`: `a4xa9`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Charge(Move):
    """To the empty square `via` and against the enemy beside it, in one turn: `d2-d5xe5`."""

    source: int
    via: int
    target: int


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """One or more jumps of an officer: the points it touches, the first included: `d5xd3xb5`."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Blow(Move):
    """An offending officer is taken away, then an ordinary move follows: `*d6,c4-c5`.

    `then` is None when the last officer goes, since that ends the game.
    """

    point: int
    then: Walk | None


M = TypeVar("M", bound=Move)

_shared: dict[Move, Move] = {}


def shared(move: M) -> M:
    """The one object that all tables hold for equal moves."""
    return cast(M, _shared.setdefault(move, move))
