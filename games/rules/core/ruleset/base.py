"""Ruleset: the interface of a game, with the answers that most games share."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

from games.rules.core.basics.moves import Capture, Move, Setup
from games.rules.core.basics.pieces import MARKED, BySeat, Rank, Seat, owner, piece
from games.rules.core.basics.refusals import BadPosition, Refusal, gettext_noop
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import Termination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.armies import Armies
from games.rules.core.state.events import Event
from games.rules.core.state.evidence import Inference, Traced
from games.rules.core.state.position import Position


class Path(NamedTuple):
    """The squares that a move's text names, as cells, and the point it huffs."""

    squares: tuple[int, ...]
    huffed: int | None = None


@dataclass(frozen=True, kw_only=True)
class Ruleset(Armies):
    """Base of all games: two armies on a board, and the moves they may make."""

    family: ClassVar[str]
    sets: ClassVar[bool] = False  # whether a set of two, sides swapped, is its normal unit
    volleys: ClassVar[bool] = False  # whether archers shoot before turns
    hidden: ClassVar[bool] = True  # whether a piece's rank is its owner's secret
    jumping_seat: ClassVar[Seat | None] = None  # whose captures are chains of jumps
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

        Without a generator nothing is dealt, and the set-ups show what was.
        """
        return Position(self.board.blank, Seat.SOUTH, awaited=self.seats_setting_up)

    def opening(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Between the last set-up and the first move: the position then, and what happened."""
        return position, ()

    def is_legal(self, position: Position, seat: Seat, move: Move) -> bool:
        """Whether the move may be played."""
        return move in self.legal_moves(position, seat)

    def plain_turns(self, position: Position, seat: Seat) -> Iterable[Move]:
        """The legal moves that are no capture chains: in most games, all."""
        return self.legal_moves(position, seat)

    def continuations(self, position: Position, move: Capture | None) -> tuple[Capture, ...]:
        """The capture chains one jump longer than a given one, or without one the single jumps."""
        return ()

    def jumped(self, path: Sequence[str]) -> tuple[str, ...]:
        """The squares that a piece jumps over and takes along the squares of a move, by name."""
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
        """The pieces of a seat that take no part in this match, its own secret (D2)."""
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

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Sentence, ...]:
        """Sentences that a viewpoint may read beside the board."""
        return ()

    def volley_tells(
        self,
        seat: Seat,
        pieces: Mapping[int, Traced],
        turn: Seat,
        hits: Mapping[int, bool],
        *,
        opening: bool,
    ) -> Iterable[Inference]:
        """What a seat learns of pieces when the archers shoot before a turn, or shoot at nothing.

        `pieces` are by cell as they stood; `hits` tells of each cell hit whether its piece is gone.
        """
        return ()

    def threatened(self, pieces: Mapping[str, Seat]) -> tuple[str, ...]:
        """The squares of pieces that could be captured next, in a game that hides nothing."""
        return ()

    def write_memory(self, position: Position) -> list[str]:
        """The fields of the position text that hold `position.memory`."""
        return []

    def memory_from_losses(self, fallen: BySeat[tuple[Rank | None, ...]]) -> list[str]:
        """The fields of `write_memory` that a game hiding nothing needs to go on capturing.

        Asked with the lost pieces that everybody knows of, by seat.
        """
        return []

    def enlisted_as(self, rank: Rank, *, marked: bool) -> Rank:
        """The line of the army list that a standing or fallen piece of a rank belongs to."""
        return rank

    def stands_as(self, rank: Rank, *, marked: bool) -> tuple[Rank, ...]:
        """The ranks that a piece of a line of the army list may stand as; none if it cannot."""
        return (rank,) if not marked or self.mark == "shown" else ()

    def imagined_memory(
        self,
        cells: bytes,
        fallen: BySeat[tuple[Rank | None, ...]],
        aside: BySeat[tuple[Rank, ...] | None],
        notes: Sequence[Sentence],
    ) -> Any:
        """The memory of a position that somebody imagines from what an observation tells."""
        return None

    def read_memory(self, fields: list[str]) -> Any:
        """The memory that those fields hold; raises BadPosition."""
        if fields:
            raise BadPosition(
                gettext_noop("“%(field)s” is not part of a position of this game."),
                field=fields[0][:20],
            )
        return None
