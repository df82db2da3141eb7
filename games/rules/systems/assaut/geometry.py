"""Geometry of Assaut's board: points, lines, distances and jumps (A1 to A3, A6, A11, A12)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.pieces import Seat, piece

BOARD = Board(7, 7, frozenset(f"{file}{row}" for file in "abfg" for row in "1267"))
FORTRESS = tuple(BOARD.index[f"{file}{row}"] for row in "765" for file in "cde")
SOLDIER = piece(Seat.SOUTH, 1)
OFFICER = piece(Seat.NORTH, 2)
OFFICERS = 2
CAPTURES_TO_WIN = 16  # captured soldiers that decide the game

# For each content of a cell: whether it is an empty point.
VACANT = bytes(content == EMPTY for content in range(256))

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
OBLIQUE = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def place(cell: int) -> tuple[int, int]:
    """File and row of a point, both from 1."""
    return cell % BOARD.stride + 1, cell // BOARD.stride + 1


def _neighbour(cell: int, step: tuple[int, int]) -> int | None:
    """The next point along a line; None if there is no line in that direction (A2)."""
    file, row = place(cell)
    if step in OBLIQUE and (file + row) % 2:
        return None
    file, row = file + step[0], row + step[1]
    name = f"{chr(96 + file)}{row}"
    return BOARD.index[name] if BOARD.playable(name) else None


NEIGHBOURS = {
    cell: tuple(
        target for step in STRAIGHT + OBLIQUE if (target := _neighbour(cell, step)) is not None
    )
    for cell in BOARD.cells
}


def _jumps(cell: int) -> Iterator[tuple[int, int]]:
    for step in STRAIGHT + OBLIQUE:
        over = _neighbour(cell, step)
        landing = None if over is None else _neighbour(over, step)
        if over is not None and landing is not None:
            yield over, landing


# For each point the jumps from it: the point jumped over and the one to land on.
JUMPS = {cell: tuple(_jumps(cell)) for cell in BOARD.cells}
# The point jumped over between two points.
OVER = {(cell, landing): over for cell in BOARD.cells for over, landing in JUMPS[cell]}


def _distances() -> dict[int, int]:
    """The lines from each point to the fortress, on the empty board (A6)."""
    distances = dict.fromkeys(FORTRESS, 0)
    ring = list(FORTRESS)
    while ring:
        following = []
        for cell in ring:
            for target in NEIGHBOURS[cell]:
                if target not in distances:
                    distances[target] = distances[cell] + 1
                    following.append(target)
        ring = following
    return distances


DISTANCE = _distances()


def officers(cells: bytes | bytearray) -> list[int]:
    """The points of the officers, in the order of the cells."""
    places = []
    cell = cells.find(OFFICER)
    while cell >= 0:
        places.append(cell)
        cell = cells.find(OFFICER, cell + 1)
    return places


def jumps(cells: bytes | bytearray, cell: int) -> list[tuple[int, int]]:
    """The jumps open to an officer on a point: the point taken and the one to land on (A11)."""
    return [
        (over, landing)
        for over, landing in JUMPS[cell]
        if cells[over] == SOLDIER and cells[landing] == EMPTY
    ]


def can_jump(cells: bytes | bytearray, cell: int) -> bool:
    """Whether an officer on a point can capture."""
    for over, landing in JUMPS[cell]:  # noqa: SIM110 - a loop starts faster than a generator.
        if cells[over] == SOLDIER and cells[landing] == EMPTY:
            return True
    return False


def any_jump(cells: bytes | bytearray) -> bool:
    """Whether any officer can capture."""
    return any(can_jump(cells, cell) for cell in officers(cells))


def chains(
    cells: bytearray, points: tuple[int, ...], wanted: int, *, prefixes: bool
) -> Iterator[tuple[int, ...]]:
    """The chains of jumps that continue some points, each as all points of its path (A12).

    `cells` is the board without the jumping officer and the captured soldiers; it is changed during
    the search and restored. A chain ends after `wanted` captures; with `prefixes` it may end
    anywhere.
    """
    for over, landing in jumps(cells, points[-1]):
        longer = (*points, landing)
        cells[over] = EMPTY
        last = wanted <= 1 or not can_jump(cells, landing)
        if last or prefixes:
            yield longer
        if not last:
            yield from chains(cells, longer, wanted - 1, prefixes=prefixes)
        cells[over] = SOLDIER


def jumped(points: Sequence[int]) -> list[int]:
    """The points jumped over along some points; a step jumps over none."""
    return [OVER[pair] for pair in pairwise(points) if pair in OVER]


def take(cells: bytearray, points: tuple[int, ...]) -> list[int]:
    """Remove the officer on the first point and the soldiers it takes; returns their points."""
    cells[points[0]] = EMPTY
    taken = jumped(points)
    for over in taken:
        cells[over] = EMPTY
    return taken


def filled(cells: bytes | bytearray) -> bool:
    """Whether soldiers hold every point of the fortress."""
    for cell in FORTRESS:  # noqa: SIM110 - a loop starts faster than a generator.
        if cells[cell] != SOLDIER:
            return False
    return True
