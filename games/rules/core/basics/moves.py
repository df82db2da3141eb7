"""Moves: one value class for each form of the notation.

Squares are cells here (numbers, see `board`). Moves are values: two moves of the same class with
the same cells are equal.

The tables share one object for one move, since a small working set is what makes them fast.
"""

from dataclasses import dataclass, field
from typing import TypeVar, cast

from games.rules.core.basics.pieces import Seat


def move_number(ply: int) -> int:
    """The move that a ply belongs to, as people and records count: one turn of each side.

    Plies count from the first move on, so set-ups do not; 0 is the board before it.

    >>> [move_number(ply) for ply in (0, 1, 2, 59, 60)]
    [0, 1, 1, 30, 30]
    """
    return (ply + 1) // 2


class Move:
    """Base of all moves."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Setup(Move):
    """Set-up of a whole army: `cells` is a board's bytes with nothing else on it."""

    seat: Seat
    cells: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Walk(Move):
    """Move to an empty square, one step or more: `a4-a5`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """Attack on the enemy piece on `target`: `a4xa9`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Charge(Move):
    """Charge: move to the empty square `via` and attack an enemy beside it: `d2-d5xe5` (T6)."""

    source: int
    via: int
    target: int


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """Capture by jumps of an officer: all points it touches, as in `d5xd3xb5` (A11, A12)."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Huff(Move):
    """Huff: an officer that missed a capture is removed, then a move follows: `*d6,c4-c5` (A13).

    `then` is None when the last officer goes, since that ends the game.
    """

    point: int
    then: Walk | None


M = TypeVar("M", bound=Move)

_shared: dict[Move, Move] = {}


def shared(move: M) -> M:
    """The one object that all tables hold for equal moves."""
    return cast(M, _shared.setdefault(move, move))
