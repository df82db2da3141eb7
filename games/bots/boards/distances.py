"""Distances between cells in single steps, over the whole board or over some of its cells."""

from collections.abc import Collection
from functools import lru_cache

from games.rules.core.basics.board import Board

UNREACHABLE = 99


def adjacent_cells(board: Board, cell: int) -> tuple[int, int, int, int]:
    """The four cells next to one, including those that are not on the board."""
    return cell + 1, cell - 1, cell + board.stride, cell - board.stride


@lru_cache(maxsize=16)
def distances(board: Board) -> tuple[tuple[int, ...], ...]:
    """By two cells, the steps between them on an empty board."""
    squares = frozenset(board.cells)
    off_board = (UNREACHABLE,) * board.size
    return tuple(
        tuple(distances_to(board, cell, squares)) if cell in squares else off_board
        for cell in range(board.size)
    )


def distances_to(board: Board, target: int, cells: Collection[int]) -> list[int]:
    """By cell, the steps from it to a target over `cells`; the target need not be one of them."""
    steps = [UNREACHABLE] * board.size
    steps[target] = 0
    frontier = [target]
    while frontier:
        next_frontier = []
        for cell in frontier:
            for other in adjacent_cells(board, cell):
                if other in cells and steps[other] == UNREACHABLE:
                    steps[other] = steps[cell] + 1
                    next_frontier.append(other)
        frontier = next_frontier
    return steps
