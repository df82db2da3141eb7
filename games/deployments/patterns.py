"""Set-up patterns: texts as South sees them, varied by mirroring and small exchanges."""

from collections.abc import Collection, Sequence
from random import Random

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import NORTHERN, Rank, Seat
from games.rules.core.ruleset.base import Ruleset

EXCHANGES = (3, 6)  # how many pairs of unlike pieces change places, at least and at most
REACH = 2  # their distance in squares at most


def from_pattern(
    rules: Ruleset, seat: Seat, patterns: Sequence[str], fixed: Collection[Rank], rng: Random
) -> str:
    """The text of a random pattern, perhaps mirrored, with a few pieces not `fixed` exchanged."""
    setup, _ = rules.parse_setup(Seat.SOUTH, rng.choice(patterns))
    cells = bytearray(setup.cells)
    board = rules.board
    rows = [board.row(number) for number in rules.setup_rows(Seat.SOUTH)]
    if rng.random() < 0.5:
        for row in rows:
            cells[row.start : row.stop] = cells[row.start : row.stop][::-1]
    loose = [
        cell
        for row in rows
        for cell in row
        if cells[cell] != EMPTY and rules.rank_of(cells[cell]) not in fixed
    ]
    for _ in range(rng.randint(*EXCHANGES)):
        first = rng.choice(loose)
        near = [
            other
            for other in loose
            if cells[other] != cells[first] and _distance(board.stride, first, other) <= REACH
        ]
        if near:
            other = rng.choice(near)
            cells[first], cells[other] = cells[other], cells[first]
    if seat is Seat.NORTH:
        cells = _turned(rules, cells)
    return rules.setup_text(Setup(seat, bytes(cells)))


def _distance(stride: int, first: int, other: int) -> int:
    return abs(first // stride - other // stride) + abs(first % stride - other % stride)


def _turned(rules: Ruleset, cells: bytearray) -> bytearray:
    """South's set-up as North's, with the front row toward the enemy."""
    turned = bytearray(rules.board.size)
    northern = rules.setup_rows(Seat.NORTH)
    southern = rules.setup_rows(Seat.SOUTH)
    for source, target in zip(southern, reversed(northern), strict=True):
        for old, new in zip(rules.board.row(source), rules.board.row(target), strict=True):
            turned[new] = cells[old] | NORTHERN if cells[old] else EMPTY
    return turned
