"""Move tables of Tactique: walks, attacks and charges (T4 to T7)."""

from itertools import compress

from games.rules.core.basics.board import Board
from games.rules.core.basics.moves import Attack, Charge, Move, Walk, shared
from games.rules.core.state.mobility import (
    ALL_ENEMIES,
    ALL_OPEN,
    DIRECTIONS,
    ENEMY,
    OPEN,
    TAKEN,
    mobility,
)


class StrikeTable(dict[int, tuple[Move, ...]]):
    """Table of the attacks from the cell `via`, by the enemies around it, for a piece on `source`.

    The key is the enemies as in `Mobility.contact`; the table is filled as it is used. From its own
    cell a piece makes attacks, from any other it makes charges.
    """

    def __init__(self, board: Board, source: int, via: int, *, straight_on: bool) -> None:
        super().__init__()
        self.source = source
        self.via = via
        self.offsets = mobility(board).offsets
        self.only = board.heading(source, via) if straight_on else 0

    def __missing__(self, enemies: int) -> tuple[Move, ...]:
        strikes: list[Move] = []
        for direction, step in zip(DIRECTIONS, self.offsets, strict=True):
            target = self.via + step
            if not enemies & ENEMY << direction:
                continue
            if self.source == self.via:
                strikes.append(shared(Attack(self.source, target)))
            elif self.only in (0, step):
                strikes.append(shared(Charge(self.source, self.via, target)))
        self[enemies] = tuple(strikes)
        return self[enemies]


# The cells that a piece can reach in one direction, nearest first, each with the walk to it and the
# attacks from it.
Ray = tuple[tuple[int, Walk, StrikeTable], ...]


class MoveTables:
    """All moves of a side on one board, under one setting of the options of T5 and T6."""

    def __init__(self, board: Board, *, step_by_step: bool, straight_on: bool) -> None:
        self.mobility = mobility(board)
        cells = range(board.size)
        self.attacks = tuple(StrikeTable(board, cell, cell, straight_on=False) for cell in cells)
        rays: list[list[Ray]] = []
        for cell in cells:
            runs = [self.mobility.ray(cell, direction) for direction in DIRECTIONS]
            rays.append(
                [
                    tuple(
                        (
                            via,
                            shared(Walk(cell, via)),
                            StrikeTable(board, cell, via, straight_on=straight_on),
                        )
                        for via in (run[:1] if step_by_step else run)
                    )
                    for run in runs
                ]
            )
        # The rays with any cell, by the open directions (a mask) and then by the starting cell.
        self.rays = tuple(
            tuple(
                tuple(cell_rays[direction] for direction in DIRECTIONS if ways & OPEN << direction)
                for cell_rays in rays
            )
            for ways in range(ENEMY)
        )

    def actions(self, cells: bytes, movers: bytes, targets: bytes) -> list[Move]:
        """Walks, attacks and charges; `movers` and `targets` as for `Mobility.around`.

        A piece that may step but not attack is an archer: it only walks (T7).
        """
        around, met = self.mobility.contact(cells, movers, targets)
        rays = self.rays
        moves: list[Move] = []
        append = moves.append
        for cell in compress(self.mobility.every, around):
            directions = around[cell]
            if directions > ALL_OPEN:
                moves += self.attacks[cell][directions & ALL_ENEMIES]
            fighter = movers[cells[cell]] > ALL_OPEN
            for ray in rays[directions & ALL_OPEN][cell]:
                for via, walk, strikes in ray:
                    enemies = met[via]
                    if enemies:
                        if enemies & TAKEN:
                            break
                        if fighter:
                            moves += strikes[enemies]
                    append(walk)
        return moves
