"""Distances on an empty board, in single steps around lakes."""

from functools import lru_cache

from games.rules.core.board import Board

FAR = 99  # between cells that no way joins


@lru_cache(maxsize=16)
def distances(board: Board) -> tuple[tuple[int, ...], ...]:
    """For each cell the steps from it to every cell."""
    standing = set(board.cells)
    steps = (1, -1, board.stride, -board.stride)
    table: list[tuple[int, ...]] = []
    for start in range(board.size):
        far = [FAR] * board.size
        if start in standing:
            far[start] = 0
            ring = [start]
            while ring:
                following = []
                for cell in ring:
                    for step in steps:
                        other = cell + step
                        if other in standing and far[other] == FAR:
                            far[other] = far[cell] + 1
                            following.append(other)
                ring = following
        table.append(tuple(far))
    return tuple(table)
