"""Distances in single steps: on an empty board around lakes, or over some of its cells alone."""

from collections.abc import Collection
from functools import lru_cache

from games.rules.core.basics.board import Board

FAR = 99  # between cells that no way joins


def beside(board: Board, cell: int) -> tuple[int, int, int, int]:
    """The four cells around one, squares of the board or not."""
    return cell + 1, cell - 1, cell + board.stride, cell - board.stride


@lru_cache(maxsize=16)
def distances(board: Board) -> tuple[tuple[int, ...], ...]:
    """For each cell the steps from it to every cell."""
    standing = frozenset(board.cells)
    nowhere = (FAR,) * board.size
    return tuple(
        tuple(steps_to(board, cell, standing)) if cell in standing else nowhere
        for cell in range(board.size)
    )


def steps_to(board: Board, target: int, cells: Collection[int]) -> list[int]:
    """For each cell the steps from it to a target over these cells; the target need not be one."""
    far = [FAR] * board.size
    far[target] = 0
    ring = [target]
    while ring:
        following = []
        for cell in ring:
            for other in beside(board, cell):
                if other in cells and far[other] == FAR:
                    far[other] = far[cell] + 1
                    following.append(other)
        ring = following
    return far
