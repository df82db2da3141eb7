"""Seats, ranks and pieces.

A piece on the board is one byte: its kind (1 to 62, in the order of the ruleset's ranks), a mark
(face up or demoted, depending on the game), and its side in the highest bit.
"""

from enum import IntEnum
from typing import NamedTuple, TypeVar

T = TypeVar("T")

Rank = str  # a letter of the notation, or a domino tile such as "40"

KIND = 0x3F
MARKED = 0x40
NORTHERN = 0x80


class Seat(IntEnum):
    """A side of the match. South moves first (C1)."""

    other: "Seat"

    SOUTH = 0
    NORTH = 1


Seat.SOUTH.other = Seat.NORTH
Seat.NORTH.other = Seat.SOUTH


class BySeat(tuple[T, T]):
    """One value for each side: `pair[Seat.SOUTH]`."""

    __slots__ = ()

    def __new__(cls, south: T, north: T) -> "BySeat[T]":
        return tuple.__new__(cls, (south, north))

    def __getnewargs__(self) -> tuple[T, T]:
        return (self[0], self[1])

    def put(self, seat: Seat, value: T) -> "BySeat[T]":
        """A copy with another value for one side."""
        return tuple.__new__(BySeat, (self[0], value) if seat else (value, self[1]))


class Troop(NamedTuple):
    """One line of an army list: a rank and its number of pieces."""

    rank: Rank
    number: int
    name: str  # English, marked for translation


def piece(seat: Seat, kind: int, *, marked: bool = False) -> int:
    """The byte of a piece."""
    return kind | MARKED * marked | NORTHERN * seat


def is_piece(content: int) -> bool:
    """Whether a cell holds a piece: it is neither empty nor VOID."""
    return content & KIND not in (0, KIND)


def owner(content: int) -> Seat:
    """The side that a piece belongs to."""
    return Seat.NORTH if content & NORTHERN else Seat.SOUTH
