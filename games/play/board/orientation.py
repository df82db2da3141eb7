"""Orientation of a board: its files and rows in the order in which a reader sees them."""

from games.rules.core.basics.board import Board


def axes(board: Board, turned: bool) -> tuple[list[str], list[int]]:
    """Files from left to right and rows from top to bottom, as the reader sees them."""
    files = [square[0] for square in board.squares[: board.files]]
    rows = list(range(board.ranks, 0, -1))
    return (files[::-1], rows[::-1]) if turned else (files, rows)
