"""Moves: one value class for each form of the notation.

Squares are cells here (numbers, see `board`). Moves are values: two moves of the same class with
the same cells are equal. The move tables share one object for equal moves, which keeps them small
and so makes them fast.
"""

from dataclasses import dataclass, field
from typing import TypeVar, cast

from games.rules.core.basics.pieces import Seat


def move_number(ply: int) -> int:
    """The move number of a ply, as people and records count: one turn of each side is a move.

    Plies are counted from the first move on, without set-ups; 0 is the board before it.

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
    """Charge: move to the empty square `via` and attack an enemy next to it: `d2-d5xe5` (T6)."""

    source: int
    via: int
    target: int


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """Capture by jumps of an officer: all points of its path, as in `d5xd3xb5` (A11, A12)."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Huff(Move):
    """Huff: removal of an officer that missed a capture, then a move: `*d6,c4-c5` (A13).

    `then` is None for the last officer, whose removal ends the game.
    """

    point: int
    then: Walk | None


M = TypeVar("M", bound=Move)

_shared: dict[Move, Move] = {}


def shared(move: M) -> M:
    """The object that all tables use for a move equal to this one."""
    return cast(M, _shared.setdefault(move, move))
