"""Evaluation of Assaut: how good a position is for the soldiers, in points.

What soldiers in the fortress are worth depends on where the officers are: around both it can be
filled until they are shut in; with one in and one out it cannot, and the other has room to roam.
"""

from itertools import combinations
from typing import NamedTuple

from games.bots.assaut.bitboard import ARMY, INSIDE, STEPS, Node
from games.bots.assaut.evaluation_weights import (
    GONE,
    HELD,
    OFFICER_POINTS,
    ROOM,
    ROOM_ALONE,
    SOLDIER_POINTS,
)
from games.rules.systems.assaut.geometry import BOARD, place

MIDDLE = 4  # the file that both wings are counted from
TOP = 7
# Soldiers are many, so their points are looked up for parts of the board at once.
PART_BITS = 11
PART_MASK = (1 << PART_BITS) - 1
Part = tuple[int, ...]


class Guard(NamedTuple):
    """What is settled by the officers' points."""

    worth: int  # of these points
    parts: tuple[Part, Part, Part]  # the worths of soldiers' points
    held: tuple[int, ...]  # by the number of soldiers in the fortress
    first: int  # the points beside one officer, and beside the other
    second: int
    room: tuple[int, ...]  # by the steps that they have together


def _by_bit(rows: tuple[tuple[int, ...], ...]) -> list[int]:
    """Worths told by row from the top, and by the distance from the middle file."""
    places = (place(cell) for cell in BOARD.cells)
    return [rows[TOP - row][abs(file - MIDDLE)] for file, row in places]


def _part(worths: list[int]) -> Part:
    """The sums of worths of all sets of points."""
    sums = [0]
    for worth in worths:
        sums += [before + worth for before in sums]
    return tuple(sums)


def _parts(worths: list[int]) -> tuple[Part, Part, Part]:
    low, middle, high = (
        _part(worths[start : start + PART_BITS]) for start in range(0, 3 * PART_BITS, PART_BITS)
    )
    return low, middle, high


AMONG_TWO, AFTER_ONE = (_parts(_by_bit(rows)) for rows in SOLDIER_POINTS)
OFFICERS_AT = dict(zip(STEPS, _by_bit(OFFICER_POINTS), strict=True))
BESIDE = {point: sum(others) for point, others in STEPS.items()}
ALONE = 3  # where what is told of one officer begins in HELD


def _guard(officers: tuple[int, ...]) -> Guard:
    both = len(officers) > 1
    inside = sum(1 for point in officers if point & INSIDE)
    return Guard(
        sum(OFFICERS_AT[point] for point in officers),
        AMONG_TWO if both else AFTER_ONE,
        HELD[inside if both else ALONE + inside],
        BESIDE[officers[0]] if officers else 0,
        BESIDE[officers[1]] if both else 0,
        ROOM if both else ROOM_ALONE,
    )


GUARDS = {
    sum(officers): _guard(officers)
    for number in range(3)
    for officers in combinations(STEPS, number)
}


def evaluate(node: Node) -> int:
    """The worth of a position to the soldiers."""
    soldiers, officers = node.soldiers, node.officers
    worth, (low, middle, high), held, first, second, room = GUARDS[officers]
    free = ~(soldiers | officers)
    return (
        worth
        + GONE[ARMY - soldiers.bit_count()]
        + held[(soldiers & INSIDE).bit_count()]
        + low[soldiers & PART_MASK]
        + middle[soldiers >> PART_BITS & PART_MASK]
        + high[soldiers >> 2 * PART_BITS]
        + room[(first & free).bit_count() + (second & free).bit_count()]
    )
