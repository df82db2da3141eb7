"""Ruleset: the interface of a game, with the answers that most games share."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from games.rules.core.basics.moves import Attack, Charge, Move, Setup, Walk
from games.rules.core.basics.pieces import MARKED, BySeat, Rank, Seat, owner, piece
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import Termination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.armies import Armies
from games.rules.core.ruleset.optional_parts import (
    NO_MEMORY,
    Deal,
    JumpCaptures,
    Memory,
    SetupAliases,
    Volleys,
)
from games.rules.core.state.events import Event
from games.rules.core.state.position import NO_SHUTTLES, Position, Shuttle


class Path(NamedTuple):
    """The squares that a move's text names, as cells, and the point of the officer it huffs."""

    squares: tuple[int, ...]
    huffed: int | None = None


@dataclass(frozen=True, kw_only=True)
class Ruleset(Armies):
    """Base of all games: two armies on a board, and the moves they may make."""

    family: ClassVar[str]  # the key of the game, the same in all its editions
    hidden: ClassVar[bool] = True  # whether a piece's rank is its owner's secret
    vital: ClassVar[tuple[Rank, ...]] = ()  # the ranks whose loss ends the match
    sets: ClassVar[bool] = False  # whether it is usually played in sets of two, sides swapped
    terminations: ClassVar[tuple[Termination, ...]]  # every way to end on the board
    seats_setting_up: ClassVar[tuple[Seat, ...]] = (Seat.SOUTH, Seat.NORTH)

    # --- what a game must answer

    @abstractmethod
    def legal_moves(self, position: Position, seat: Seat) -> Iterable[Move]:
        """The legal moves of a seat; none if it is not its turn, or the game is over."""

    @abstractmethod
    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        """The position after a move, and its events. The move must be legal."""

    @abstractmethod
    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        """Why a move is illegal, judged by what the mover knows."""

    @abstractmethod
    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        """The moves that the squares of a text may mean, legal or not."""

    @abstractmethod
    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        """A set-up drawn uniformly from all valid ones."""

    # --- what most games answer alike

    def start(self, rng: Random | None) -> Position:
        """The position before the set-ups. The only place where chance enters.

        Without a generator nothing is dealt, and the set-ups show what was dealt.
        """
        return Position(self.board.blank, Seat.SOUTH, awaited=self.seats_setting_up)

    def is_legal(self, position: Position, seat: Seat, move: Move) -> bool:
        """Whether the move may be played."""
        return move in self.legal_moves(position, seat)

    def shuttled(
        self, shuttles: BySeat[Shuttle], seat: Seat, move: Walk | Attack | Charge
    ) -> BySeat[Shuttle]:
        """The repetitions of both sides after a move (C9); none where moves may be repeated."""
        return NO_SHUTTLES

    @property
    def repeats_counted(self) -> int:
        """How many moves in a row between two squares are counted; more are forbidden (C9)."""
        return 0

    def visible(self, content: int, viewpoint: Viewpoint) -> bool:
        """Whether a viewpoint knows the rank of a piece on the board."""
        shown = self.mark == "shown" and bool(content & MARKED)
        return not self.hidden or shown or viewpoint.owns(owner(content))

    def hand(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        """The pieces that a seat has still to place."""
        if seat not in position.awaited:
            return ()
        return tuple(troop.rank for troop in self.army for _ in range(troop.number))

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        """The lost pieces of a seat by rank, each with whether everybody knows the rank."""
        if position.awaited:
            return ()
        cells = position.cells
        fallen: list[tuple[Rank, bool]] = []
        for troop in self.army:
            kind = self.kinds[troop.rank]
            standing = cells.count(piece(seat, kind)) + cells.count(piece(seat, kind, marked=True))
            fallen += [(troop.rank, True)] * (troop.number - standing)
        return tuple(fallen)

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Sentence, ...]:
        """Sentences on the state of the match that a viewpoint may read."""
        return ()

    # --- what few games have

    @property
    def memory(self) -> Memory:
        """The reader and writer of what a position remembers beyond the board."""
        return NO_MEMORY

    @property
    def deal(self) -> Deal | None:
        """The deal, where chance decides which pieces a side gets."""
        return None

    @property
    def volleys(self) -> Volleys | None:
        """The volleys, where archers shoot before turns."""
        return None

    @property
    def jumps(self) -> JumpCaptures | None:
        """The captures, where a side captures by chains of jumps."""
        return None

    @property
    def setup_aliases(self) -> SetupAliases | None:
        """The other notations of set-ups, where people use some."""
        return None
