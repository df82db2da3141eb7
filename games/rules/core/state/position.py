"""Positions: the full, secret state of a match between two turns; see `observation`."""

from enum import StrEnum
from typing import Any, NamedTuple

from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import BySeat, Seat, is_piece, owner
from games.rules.core.basics.termination import Termination


class Phase(StrEnum):
    """The three parts of a match."""

    SETUP = "setup"
    PLAY = "play"
    OVER = "over"


class Outcome(NamedTuple):
    """How a match ended: `winner` None is a draw."""

    winner: Seat | None
    reason: Termination


class Shuttle(NamedTuple):
    """Repetition: how often in a row a side has moved a piece between two cells (C9)."""

    low: int
    high: int
    times: int


STILL = Shuttle(0, 0, 0)
NO_SHUTTLES = BySeat(STILL, STILL)


class Position(NamedTuple):
    """One position.

    A NamedTuple, since one is made at every ply and a frozen dataclass takes three times as long
    to make. Its text is `notation.write_position`; `repr` shows counts, never a rank.
    """

    cells: bytes  # one byte a cell, see `board` and `pieces`
    turn: Seat  # whose turn it is, or would be if the game were not over
    ply: int = 0  # turns played
    quiet: int = 0  # turns in a row without progress
    shuttles: BySeat[Shuttle] = NO_SHUTTLES
    memory: Any = None  # what the game remembers beyond the board, see `Memory`; hashable
    outcome: Outcome | None = None
    awaited: tuple[Seat, ...] = ()  # the seats that have not set up yet
    listed: tuple[Move, ...] | None = None  # the legal moves, if already known

    @property
    def phase(self) -> Phase:
        if self.outcome:
            return Phase.OVER
        return Phase.SETUP if self.awaited else Phase.PLAY

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now: both during a simultaneous set-up, none when it is over."""
        if self.outcome:
            return ()
        return self.awaited or (self.turn,)

    def __repr__(self) -> str:
        pieces = [owner(content) for content in self.cells if is_piece(content)]
        return (
            f"<Position {self.phase} ply={self.ply} quiet={self.quiet}"
            f" pieces={pieces.count(Seat.SOUTH)}:{pieces.count(Seat.NORTH)}>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])
