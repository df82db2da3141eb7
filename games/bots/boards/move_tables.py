"""Move tables for games with volleys: lines of moves, charges and shots of every cell."""

from functools import lru_cache

from games.bots.boards.battle_tables import BattleTables
from games.rules.core.basics.moves import Charge, Walk
from games.rules.core.basics.pieces import Seat, piece

MoveLine = tuple[int, ...]  # cells in a straight line, the nearest first
NOWHERE = -1  # instead of a cell off the board


class MoveTables:
    """Tables of one ruleset, asked of the rules on boards that hold almost nothing.

    By cell: `adjacent`, its four neighbours, NOWHERE off the board; `lines`, the four lines along
    which a piece can move; `approaches`, for each neighbour the lines by which a piece gets there
    that then attacks the cell. By seat and cell: `shots`, the cells that an archer hits, as bits.
    By content of a cell: whether it `moves`, `attacks`, `shoots`, `is_flag`, and what it is
    `after_hit`. `charges_turn` is whether a charge may turn before it attacks, and `both_shoot`
    whether the archers of both sides shoot before every turn.
    """

    def __init__(self, battles: BattleTables) -> None:
        self.battles = battles
        board = battles.rules.board
        self.cells = board.cells
        self.stride = board.stride
        self.directions = (self.stride, 1, -self.stride, -1)
        self.adjacent = {
            cell: [
                cell + step if cell + step in board.cells else NOWHERE for step in self.directions
            ]
            for cell in board.cells
        }
        self.lines = {
            cell: [self._line(cell, step) for step in self.directions] for cell in board.cells
        }
        self.charges_turn = self._charges_turn()
        self.both_shoot = self._both_shoot()
        self.approaches = {cell: self._approaches(cell) for cell in board.cells}
        self.shots = [
            {cell: sum(1 << target for target in battles.shots(seat, cell)) for cell in board.cells}
            for seat in Seat
        ]
        self.moves = [False] * 256
        self.attacks = [False] * 256
        self.shoots = [False] * 256
        self.is_flag = [False] * 256
        self.after_hit = [0] * 256
        for seat in Seat:
            for rank, kind in battles.rules.kinds.items():
                for marked in (False, True):
                    self._fill(rank, piece(seat, kind, marked=marked), marked=marked)

    def _fill(self, rank: str, content: int, *, marked: bool) -> None:
        battles = self.battles
        self.moves[content] = rank in battles.mobile
        self.shoots[content] = rank in battles.archers and not marked
        self.attacks[content] = self.moves[content] and not self.shoots[content]
        self.is_flag[content] = battles.rules.kinds[rank] in battles.flag_kinds
        self.after_hit[content] = content if self.is_flag[content] else battles.after_hit(content)

    def _line(self, cell: int, step: int) -> MoveLine:
        battles = self.battles
        line, target = [], cell + step
        while target in self.adjacent and battles.can_walk(
            Seat.SOUTH, battles.mobile[0], cell, target
        ):
            line.append(target)
            target += step
        return tuple(line)

    def _charges_turn(self) -> bool:
        battles, rules = self.battles, self.battles.rules
        source = battles.probe.middle[0]
        via = source + 1
        target = via + self.stride
        kind = rules.kinds[battles.mobile[0]]
        cells = bytearray(rules.board.blank)
        cells[source], cells[target] = piece(Seat.SOUTH, kind), piece(Seat.NORTH, kind)
        position = battles.probe.board_of(bytes(cells), Seat.SOUTH)
        return Charge(source, via, target) in rules.legal_moves(position, Seat.SOUTH)

    def _both_shoot(self) -> bool:
        """Whether an archer shoots after a move of its own side."""
        battles, rules = self.battles, self.battles.rules
        archer = battles.probe.middle[0]
        target = battles.shots(Seat.SOUTH, archer)[0]
        cells = bytearray(battles.bystanders)
        cells[archer] = piece(Seat.SOUTH, rules.kinds[battles.archers[0]])
        cells[target] = piece(Seat.NORTH, rules.kinds[battles.mobile[0]])
        position = battles.probe.board_of(bytes(cells), Seat.SOUTH)
        start = self.cells[0]
        after, _ = rules.apply(position, Seat.SOUTH, Walk(start, start + 1))
        return after.cells[target] != cells[target]

    def _approaches(self, cell: int) -> list[tuple[int, list[MoveLine]]]:
        approaches = []
        for direction, neighbour in enumerate(self.adjacent[cell]):
            if neighbour != NOWHERE:
                lines = [
                    line
                    for other, line in enumerate(self.lines[neighbour])
                    if cell not in line and (self.charges_turn or other == direction)
                ]
                approaches.append((neighbour, lines))
        return approaches

    def can_charge(self, source: int, stop: int, target: int) -> bool:
        """Whether a piece that moves from one cell to another may then attack a third."""
        if self.charges_turn:
            return True
        offset = stop - source
        step = self.stride if offset % self.stride == 0 else 1
        return target - stop == (step if offset > 0 else -step)


@lru_cache(maxsize=16)
def move_tables(battles: BattleTables) -> MoveTables:
    """The tables of a ruleset, made once a process."""
    return MoveTables(battles)
