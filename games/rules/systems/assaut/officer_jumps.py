"""Captures by officers: chains of jumps, asked for one jump at a time (A11 to A13)."""

from collections.abc import Callable, Mapping, Sequence

from games.rules.core.basics.moves import Capture, Move
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.optional_parts import JumpCaptures
from games.rules.core.state.position import Position
from games.rules.systems.assaut.geometry import (
    BOARD,
    CAPTURES_TO_WIN,
    OFFICER,
    SOLDIER,
    jumped,
    jumps,
    officers,
    take,
)


class OfficerJumps(JumpCaptures):
    """The captures of the officers; `plain_turns` lists the legal turns that are none."""

    seat = Seat.NORTH

    def __init__(self, plain_turns: Callable[[Position, Seat], list[Move]]) -> None:
        self.plain_turns = plain_turns

    def other_moves(self, position: Position) -> list[Move]:
        return self.plain_turns(position, self.seat)

    def continuations(self, position: Position, move: Capture | None) -> tuple[Capture, ...]:
        longer = []
        for points in [move.points] if move else [(cell,) for cell in officers(position.cells)]:
            cells = bytearray(position.cells)
            if len(take(cells, points)) < CAPTURES_TO_WIN - position.memory.captured:
                longer += [Capture((*points, landing)) for _, landing in jumps(cells, points[-1])]
        return tuple(longer)

    def jumped_over(self, path: Sequence[str]) -> tuple[str, ...]:
        cells = [BOARD.index[square] for square in path]
        return tuple(BOARD.names[cell] for cell in jumped(cells))

    def threatened(self, pieces: Mapping[str, Seat]) -> tuple[str, ...]:
        cells = bytearray(BOARD.blank)
        for square, seat in pieces.items():
            cells[BOARD.index[square]] = SOLDIER if seat is Seat.SOUTH else OFFICER
        over = {target for cell in officers(cells) for target, _landing in jumps(cells, cell)}
        return tuple(BOARD.names[cell] for cell in sorted(over))
