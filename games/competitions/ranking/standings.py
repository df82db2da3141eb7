"""Standings of a group: points and tie-breaks from its cross table, and the places."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from games.competitions.ranking.signs import COMPLETED, WON, half_points

Cross = Sequence[Sequence[str]]
"""A cell of signs for each row and column, by lot from 0; those on the diagonal are not read."""


class Status(StrEnum):
    """Whether a player still plays, and whether their results count."""

    IN = "in"
    WITHDRAWN = "withdrawn"  # and their results count
    LEFT_OUT = "left out"  # withdrew before half of their matches were completed


class Numbers(NamedTuple):
    """What orders the players of a group, the first number first; more is better."""

    points: Fraction
    direct: Fraction  # points among those with equal points
    sonneborn_berger: Fraction
    wins: int


@dataclass(frozen=True)
class Line:
    """A line of the standings; `lot` is from 0. Players left out have no place and no numbers."""

    lot: int
    status: Status
    place: int | None = None
    numbers: Numbers | None = None


def standings(cross: Cross, matches: int, withdrawn: Collection[int] = ()) -> list[Line]:
    """The lines of a group by place, then lot; who is left out comes last.

    `matches` is 2 if pairs play sets, else 1; `withdrawn` has the lots, from 0, of players who
    withdrew.
    """
    players = range(len(cross))
    left_out = {lot for lot in withdrawn if _is_left_out(cross, lot, matches)}
    counted = [lot for lot in players if lot not in left_out]
    numbers = _numbers(cross, counted)
    lines = [
        Line(
            lot,
            Status.WITHDRAWN if lot in withdrawn else Status.IN,
            # Shared places: 1, 2, 2, 4.
            1 + sum(numbers[other] > numbers[lot] for other in counted),
            numbers[lot],
        )
        for lot in counted
    ]
    lines.sort(key=lambda line: (line.place or 0, line.lot))
    return [*lines, *(Line(lot, Status.LEFT_OUT) for lot in sorted(left_out))]


def _is_left_out(cross: Cross, lot: int, matches: int) -> bool:
    """Whether fewer than half of a player's matches are completed."""
    row = (cell for other, cell in enumerate(cross[lot]) if other != lot)
    completed = sum(sign in COMPLETED for cell in row for sign in cell)
    return 2 * completed < (len(cross) - 1) * matches


def _numbers(cross: Cross, counted: Sequence[int]) -> dict[int, Numbers]:
    won = {
        lot: {
            other: Fraction(half_points(cross[lot][other]), 2) for other in counted if other != lot
        }
        for lot in counted
    }
    zero = Fraction(0)
    points = {lot: sum(won[lot].values(), zero) for lot in counted}
    numbers = {}
    for lot in counted:
        from_each = won[lot]
        numbers[lot] = Numbers(
            points[lot],
            sum((n for other, n in from_each.items() if points[other] == points[lot]), zero),
            sum((n * points[other] for other, n in from_each.items()), zero),
            sum(cross[lot][other].count(WON) for other in from_each),
        )
    return numbers
