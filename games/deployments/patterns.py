"""Patterns: set-ups as texts, as South sees them, varied by mirroring and small exchanges."""

from collections.abc import Collection, Sequence
from random import Random

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import NORTHERN, Rank, Seat
from games.rules.core.ruleset.base import Ruleset

EXCHANGES = (3, 6)  # pairs of unlike pieces that change places in a pattern
REACH = 2  # squares apart that they may stand


def from_pattern(
    rules: Ruleset, seat: Seat, patterns: Sequence[str], fixed: Collection[Rank], rng: Random
) -> str:
    """A pattern, mirrored or not, with a few pieces exchanged that are not `fixed`."""
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
        one = rng.choice(loose)
        near = [
            other
            for other in loose
            if cells[other] != cells[one] and _apart(board.stride, one, other) <= REACH
        ]
        if near:
            other = rng.choice(near)
            cells[one], cells[other] = cells[other], cells[one]
    if seat is Seat.NORTH:
        cells = _turned(rules, cells)
    return rules.setup_text(Setup(seat, bytes(cells)))


def _apart(stride: int, one: int, other: int) -> int:
    return abs(one // stride - other // stride) + abs(one % stride - other % stride)


def _turned(rules: Ruleset, cells: bytearray) -> bytearray:
    """South's set-up as North's, the front row toward the enemy again."""
    turned = bytearray(rules.board.size)
    northern = rules.setup_rows(Seat.NORTH)
    southern = rules.setup_rows(Seat.SOUTH)
    for source, target in zip(southern, reversed(northern), strict=True):
        for one, other in zip(rules.board.row(source), rules.board.row(target), strict=True):
            turned[other] = cells[one] | NORTHERN if cells[one] else EMPTY
    return turned
