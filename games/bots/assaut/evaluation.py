"""Evaluation function of Assaut: the value of a position to the soldiers, in points.

The value of soldiers in the fortress depends on the officers. If both are inside, the soldiers can
fill it until these are shut in; if one is outside, they cannot, and that one has room to capture.
"""

from itertools import combinations
from typing import NamedTuple

from games.bots.assaut.bitboard import ARMY, FORTRESS_MASK, STEPS_FROM, Node
from games.bots.assaut.evaluation_weights import (
    FORTRESS_SOLDIERS,
    MOBILITY,
    OFFICER_POINTS,
    SINGLE_MOBILITY,
    SOLDIER_POINTS,
    SOLDIERS_GONE,
)
from games.rules.systems.assaut.geometry import BOARD, place

MIDDLE_FILE = 4
TOP_ROW = 7
# There are many soldiers, so the sums of their points are looked up for a third of the board each.
PART_BITS = 11
PART_MASK = (1 << PART_BITS) - 1
PartSums = tuple[int, ...]  # by the bits of a part of the board


class OfficerTerms(NamedTuple):
    """The parts of the evaluation that depend on the officers' points."""

    value: int
    part_sums: tuple[PartSums, PartSums, PartSums]
    fortress_soldiers: tuple[int, ...]
    adjacent_first: int  # the points next to one officer, as bits
    adjacent_second: int
    mobility: tuple[int, ...]


def _by_bit(rows: tuple[tuple[int, ...], ...]) -> list[int]:
    places = (place(cell) for cell in BOARD.cells)
    return [rows[TOP_ROW - row][abs(file - MIDDLE_FILE)] for file, row in places]


def _subset_sums(points: list[int]) -> PartSums:
    sums = [0]
    for value in points:
        sums += [before + value for before in sums]
    return tuple(sums)


def _part_sums(points: list[int]) -> tuple[PartSums, PartSums, PartSums]:
    low, middle, high = (
        _subset_sums(points[start : start + PART_BITS])
        for start in range(0, 3 * PART_BITS, PART_BITS)
    )
    return low, middle, high


AGAINST_TWO, AGAINST_ONE = (_part_sums(_by_bit(rows)) for rows in SOLDIER_POINTS)
OFFICER_VALUES = dict(zip(STEPS_FROM, _by_bit(OFFICER_POINTS), strict=True))
ADJACENT = {point: sum(others) for point, others in STEPS_FROM.items()}
SINGLE_OFFICER = 3  # the first row of FORTRESS_SOLDIERS for one officer


def _officer_terms(officers: tuple[int, ...]) -> OfficerTerms:
    both = len(officers) > 1
    inside = sum(1 for point in officers if point & FORTRESS_MASK)
    return OfficerTerms(
        sum(OFFICER_VALUES[point] for point in officers),
        AGAINST_TWO if both else AGAINST_ONE,
        FORTRESS_SOLDIERS[inside if both else SINGLE_OFFICER + inside],
        ADJACENT[officers[0]] if officers else 0,
        ADJACENT[officers[1]] if both else 0,
        MOBILITY if both else SINGLE_MOBILITY,
    )


OFFICER_TERMS = {
    sum(officers): _officer_terms(officers)
    for number in range(3)
    for officers in combinations(STEPS_FROM, number)
}


def evaluate(node: Node) -> int:
    """The value of a position to the soldiers, in points."""
    soldiers, officers = node.soldiers, node.officers
    value, (low, middle, high), fortress, first, second, mobility = OFFICER_TERMS[officers]
    free = ~(soldiers | officers)
    return (
        value
        + SOLDIERS_GONE[ARMY - soldiers.bit_count()]
        + fortress[(soldiers & FORTRESS_MASK).bit_count()]
        + low[soldiers & PART_MASK]
        + middle[soldiers >> PART_BITS & PART_MASK]
        + high[soldiers >> 2 * PART_BITS]
        + mobility[(first & free).bit_count() + (second & free).bit_count()]
    )
