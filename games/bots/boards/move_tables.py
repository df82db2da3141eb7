"""Reach: where pieces that go far get to, what they can strike from there, and what archers hit."""

from functools import lru_cache

from games.bots.boards.battle_tables import Battles
from games.rules.core.basics.moves import Charge, Walk
from games.rules.core.basics.pieces import Seat, piece

Way = tuple[int, ...]  # cells in a straight line, the nearest first
NOWHERE = -1  # for a cell beyond the edge


class Reach:
    """Tables of one ruleset, made by asking it on boards that hold nothing else.

    By cell: `beside`, its four neighbours, `NOWHERE` over the edge; `ways`, four lines that a piece
    can go along; `approaches`, for each neighbour the ways by which a piece that then strikes the
    cell gets there; by seat, `shots`, the cells that an archer hits, as bits. By content of a cell:
    whether it `moves`, `strikes`, `shoots`, or is a `crown`, whose loss ends the match; and what a
    `hit` leaves of it. `sideways` is whether a charge may turn,
    and `both_shoot` whether the archers of both sides shoot before every turn.
    """

    def __init__(self, battles: Battles) -> None:
        self.battles = battles
        board = battles.rules.board
        self.cells = board.cells
        self.stride = board.stride
        self.steps = (self.stride, 1, -self.stride, -1)
        self.beside = {
            cell: [cell + step if cell + step in board.cells else NOWHERE for step in self.steps]
            for cell in board.cells
        }
        self.ways = {cell: [self._way(cell, step) for step in self.steps] for cell in board.cells}
        self.sideways = self._sideways()
        self.both_shoot = self._both_shoot()
        self.approaches = {cell: self._approaches(cell) for cell in board.cells}
        self.shots = [
            {cell: sum(1 << hit for hit in battles.shots(seat, cell)) for cell in board.cells}
            for seat in Seat
        ]
        self.moves = [False] * 256
        self.strikes = [False] * 256
        self.shoots = [False] * 256
        self.crown = [False] * 256
        self.hit = [0] * 256
        for seat in Seat:
            for rank, kind in battles.rules.kinds.items():
                for marked in (False, True):
                    self._fill(rank, piece(seat, kind, marked=marked), marked=marked)

    def _fill(self, rank: str, content: int, *, marked: bool) -> None:
        battles = self.battles
        self.moves[content] = rank in battles.mobile
        self.shoots[content] = rank in battles.archers and not marked
        self.strikes[content] = self.moves[content] and not self.shoots[content]
        self.crown[content] = battles.rules.kinds[rank] in battles.crowns
        self.hit[content] = content if self.crown[content] else battles.hit(content)

    def _way(self, cell: int, step: int) -> Way:
        battles = self.battles
        way, to = [], cell + step
        while to in self.beside and battles.can_walk(Seat.SOUTH, battles.mobile[0], cell, to):
            way.append(to)
            to += step
        return tuple(way)

    def _sideways(self) -> bool:
        battles, rules = self.battles, self.battles.rules
        source = battles.asked.middle[0]
        via = source + 1
        target = via + self.stride
        strong = rules.kinds[battles.mobile[0]]
        cells = bytearray(rules.board.blank)
        cells[source], cells[target] = piece(Seat.SOUTH, strong), piece(Seat.NORTH, strong)
        there = battles.asked.board_of(bytes(cells), Seat.SOUTH)
        return Charge(source, via, target) in rules.legal_moves(there, Seat.SOUTH)

    def _both_shoot(self) -> bool:
        """Whether an archer shoots after a move of its own side."""
        battles, rules = self.battles, self.battles.rules
        archer = battles.asked.middle[0]
        target = battles.shots(Seat.SOUTH, archer)[0]
        strong = rules.kinds[battles.mobile[0]]
        cells = bytearray(battles.bystanders)
        cells[archer] = piece(Seat.SOUTH, rules.kinds[battles.archers[0]])
        cells[target] = piece(Seat.NORTH, strong)
        there = battles.asked.board_of(bytes(cells), Seat.SOUTH)
        start = self.cells[0]
        after, _ = rules.apply(there, Seat.SOUTH, Walk(start, start + 1))
        return after.cells[target] != cells[target]

    def _approaches(self, cell: int) -> list[tuple[int, list[Way]]]:
        found = []
        for direction, beside in enumerate(self.beside[cell]):
            if beside != NOWHERE:
                ways = [
                    way
                    for other, way in enumerate(self.ways[beside])
                    if cell not in way and (self.sideways or other == direction)
                ]
                found.append((beside, ways))
        return found

    def may_turn(self, source: int, stop: int, target: int) -> bool:
        """Whether a charge from one cell may strike another from where it stops."""
        if self.sideways:
            return True
        way = stop - source
        step = self.stride if way % self.stride == 0 else 1
        return target - stop == (step if way > 0 else -step)


@lru_cache(maxsize=16)
def reach_of(battles: Battles) -> Reach:
    """The tables of a ruleset, made once a process."""
    return Reach(battles)
