"""Berger tables: who meets whom in which round (FIDE Handbook C.05, Annex 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MIN_PLAYERS, MAX_PLAYERS = 2, 100


class Pairing(NamedTuple):
    """Two lots, from 1, that meet in a round at a board; South is the one that FIDE names first."""

    round: int
    board: int
    south: int
    north: int


def rounds(players: int) -> list[list[tuple[int, int]]]:
    """The rounds of a group: pairs of lots in FIDE's order, South first.

    An odd number of players takes the next even table, whose highest lot is the bye, and its pairs
    are left out. Raises ValueError for a number outside MIN_PLAYERS to MAX_PLAYERS.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"{players} players: a table has {MIN_PLAYERS} to {MAX_PLAYERS}.")
    last = players + players % 2
    circle = last - 1  # the lots that move; the last one stays
    table = []
    for number in range(circle):
        at = number * last // 2 % circle
        first = (at + 1, last) if number % 2 == 0 else (last, at + 1)
        others = (
            ((at + board) % circle + 1, (at - board) % circle + 1) for board in range(1, last // 2)
        )
        table.append([pair for pair in (first, *others) if max(pair) <= players])
    return table


def pairings(players: int) -> Iterator[Pairing]:
    """All pairings of a group, by round and board, both from 1."""
    for round_number, pairs in enumerate(rounds(players), 1):
        for board, (south, north) in enumerate(pairs, 1):
            yield Pairing(round_number, board, south, north)
