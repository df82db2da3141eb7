"""What a rule system is: the questions that the engine asks, and the answers most systems share."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from games.rules.core.army import MARKED, Rank, Seat, owner, piece
from games.rules.core.errors import (
    BadPosition,
    Refusal,
    gettext_noop,
)
from games.rules.core.events import Event
from games.rules.core.forces import Forces
from games.rules.core.moves import Capture, Move, Setup
from games.rules.core.note import Note
from games.rules.core.position import Position
from games.rules.core.viewpoint import Viewpoint


class Path(NamedTuple):
    """The squares that a move's text names, as cells, and the point it blows."""

    squares: tuple[int, ...]
    blown: int | None = None


@dataclass(frozen=True, kw_only=True)
class Ruleset(Forces):
    """A game as played here: two armies on a board, and what may be done with them."""

    family: ClassVar[str]
    sets: ClassVar[bool] = False  # whether a set of two, sides swapped, is its normal unit
    volleys: ClassVar[bool] = False  # whether archers shoot before turns
    hidden: ClassVar[bool] = True  # whether a piece's rank is its owner's secret
    seats_setting_up: ClassVar[tuple[Seat, ...]] = (Seat.SOUTH, Seat.NORTH)

    # --- what a system must answer

    @abstractmethod
    def legal_moves(self, position: Position, seat: Seat) -> Iterable[Move]:
        """The moves of the seat whose turn it is; none for the other, none when it is over."""

    @abstractmethod
    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        """The position after a move, and what happened. Takes the move's legality for granted."""

    @abstractmethod
    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        """Why a move is not legal, judged by what the mover knows."""

    @abstractmethod
    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        """The moves that a text may stand for, legal or not."""

    @abstractmethod
    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        """A set-up drawn uniformly from all that are allowed."""

    # --- what most systems answer alike

    def start(self, rng: Random | None) -> Position:
        """The position before the set-ups. Chance enters here; without a generator nothing is
        dealt and the set-ups tell what had been."""
        return Position(self.board.blank, Seat.SOUTH, awaited=self.seats_setting_up)

    def opening(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """What happens between the last set-up and the first move."""
        return position, ()

    def is_legal(self, position: Position, seat: Seat, move: Move) -> bool:
        """Whether the move may be played."""
        return move in self.legal_moves(position, seat)

    def plain_turns(self, position: Position, seat: Seat) -> Iterable[Move]:
        """The legal moves that are no chains: all of them, in most games."""
        return self.legal_moves(position, seat)

    def continuations(self, position: Position, move: Capture | None) -> tuple[Capture, ...]:
        """The chains one jump longer than a given one, or the single jumps: a tree to choose by."""
        return ()

    def visible(self, content: int, viewpoint: Viewpoint) -> bool:
        """Whether a viewpoint knows the rank of a standing piece."""
        shown = self.mark == "shown" and bool(content & MARKED)
        return not self.hidden or shown or viewpoint.owns(owner(content))

    def hand(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        """The pieces that a seat has still to place."""
        if seat not in position.awaited:
            return ()
        return tuple(troop.rank for troop in self.army for _ in range(troop.number))

    def aside(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        """The pieces of a seat that take no part in this match, its own secret."""
        return ()

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        """The lost pieces of a seat by rank, each with whether its rank was told to all."""
        if position.awaited:
            return ()
        cells = position.cells
        fallen: list[tuple[Rank, bool]] = []
        for troop in self.army:
            kind = self.kinds[troop.rank]
            standing = cells.count(piece(seat, kind)) + cells.count(piece(seat, kind, marked=True))
            fallen += [(troop.rank, True)] * (troop.number - standing)
        return tuple(fallen)

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Note, ...]:
        """Remarks that a viewpoint may read beside the board."""
        return ()

    def write_memory(self, position: Position) -> list[str]:
        """The fields of the position text that hold `position.memory`."""
        return []

    def read_memory(self, fields: list[str]) -> Any:
        """The memory that those fields hold; raises BadPosition."""
        if fields:
            raise BadPosition(
                gettext_noop("“%(field)s” is no part of a position of this game."),
                field=fields[0][:20],
            )
        return None
