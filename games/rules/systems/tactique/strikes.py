"""Where Tactique's pieces go and whom they strike from there (T4 to T7), as tables."""

from itertools import compress

from games.rules.core.board import Board
from games.rules.core.moves import Attack, Charge, Move, Walk, shared
from games.rules.core.ways import ALL_OPEN, ALL_PREY, DIRECTIONS, OPEN, PREY, TAKEN, ways


class Strikes(dict[int, tuple[Move, ...]]):
    """What a piece from one cell can strike from another, by the enemies around that one.

    The key is the enemies as `Ways.contact` tells them; the table is filled as it is used. From its
    own cell a piece attacks, from any other it has charged.
    """

    def __init__(self, board: Board, source: int, via: int, *, straight_on: bool) -> None:
        super().__init__()
        self.source = source
        self.via = via
        self.offsets = ways(board).offsets
        self.only = board.heading(source, via) if straight_on else 0

    def __missing__(self, enemies: int) -> tuple[Move, ...]:
        strikes: list[Move] = []
        for direction, step in zip(DIRECTIONS, self.offsets, strict=True):
            target = self.via + step
            if not enemies & PREY << direction:
                continue
            if self.source == self.via:
                strikes.append(shared(Attack(self.source, target)))
            elif self.only in (0, step):
                strikes.append(shared(Charge(self.source, self.via, target)))
        self[enemies] = tuple(strikes)
        return self[enemies]


# The cells a piece can reach in one direction, nearest first, each with the walk there and with
# what it may strike from there.
Ray = tuple[tuple[int, Walk, Strikes], ...]


class Campaign:
    """All actions of a side on one board, under one reading of T5 and T6."""

    def __init__(self, board: Board, *, step_by_step: bool, straight_on: bool) -> None:
        self.ways = ways(board)
        cells = range(board.size)
        self.attacks = tuple(Strikes(board, cell, cell, straight_on=False) for cell in cells)
        rays: list[list[Ray]] = []
        for cell in cells:
            runs = [self.ways.ray(cell, direction) for direction in DIRECTIONS]
            rays.append(
                [
                    tuple(
                        (
                            via,
                            shared(Walk(cell, via)),
                            Strikes(board, cell, via, straight_on=straight_on),
                        )
                        for via in (run[:1] if step_by_step else run)
                    )
                    for run in runs
                ]
            )
        # By the ways that are open beside a cell, then by the cell: the rays that lead anywhere.
        self.rays = tuple(
            tuple(
                tuple(here[direction] for direction in DIRECTIONS if open_ways & OPEN << direction)
                for here in rays
            )
            for open_ways in range(PREY)
        )

    def actions(self, cells: bytes, movers: bytes, prey: bytes) -> list[Move]:
        """Walks, attacks and charges; `movers` and `prey` as for `Ways.around`.

        A mover to which all ways are open but none is an attack is an archer: it walks only (T7).
        """
        around, met = self.ways.contact(cells, movers, prey)
        rays = self.rays
        moves: list[Move] = []
        append = moves.append
        for cell in compress(self.ways.every, around):
            here = around[cell]
            if here > ALL_OPEN:
                moves += self.attacks[cell][here & ALL_PREY]
            fighter = movers[cells[cell]] > ALL_OPEN
            for ray in rays[here & ALL_OPEN][cell]:
                for via, walk, strikes in ray:
                    enemies = met[via]
                    if enemies:
                        if enemies & TAKEN:
                            break
                        if fighter:
                            moves += strikes[enemies]
                    append(walk)
        return moves
