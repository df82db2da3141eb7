"""Optional parts of a ruleset: what one or two games need and the others do without.

A game provides a part by returning it from the property of `Ruleset`, which is None by default.
Callers check for None. `Memory` alone is never None, since its default is a memory without content.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.core.basics.moves import Capture, Move
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.refusals import BadPosition, gettext_noop
from games.rules.core.basics.sentence import Sentence
from games.rules.core.ruleset.armies import Armies
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.state.tracked_pieces import Inference, Shot, TrackedPiece


class Memory:
    """Reads, writes and guesses `Position.memory`; here that of a game that remembers nothing."""

    def write(self, position: Position) -> list[str]:
        """The fields of the position text that hold the memory."""
        return []

    def read(self, fields: list[str]) -> Any:
        """The memory in those fields; raises BadPosition."""
        if fields:
            raise BadPosition(
                gettext_noop("“%(field)s” is not part of a position of this game."),
                field=fields[0][:20],
            )
        return None

    def from_losses(self, fallen: BySeat[tuple[Rank | None, ...]]) -> list[str]:
        """The fields without which a made-up position would misjudge captures.

        `fallen` are the lost pieces that everybody knows of, by seat.
        """
        return []

    def imagined(
        self,
        cells: bytes,
        fallen: BySeat[tuple[Rank | None, ...]],
        aside: BySeat[tuple[Rank, ...] | None],
        notes: Sequence[Sentence],
    ) -> Any:
        """The memory of a position that is imagined from an observation."""
        return None


NO_MEMORY = Memory()


class Deal(ABC):
    """Random deal: each side gets a part of its army (D2)."""

    always: tuple[Rank, ...] = ()  # the lines of the army list that every side gets

    @abstractmethod
    def aside(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        """The pieces that a seat was not dealt, which only that seat may know."""

    @abstractmethod
    def set_aside(self, position: Position, aside: BySeat[tuple[Rank, ...]]) -> Position:
        """The position before the set-ups, in which each side is not dealt these pieces."""


class Volleys(ABC):
    """Volleys: archers shoot by themselves before a turn (T8)."""

    shooter: Rank  # the line of the army list that shoots

    @abstractmethod
    def before_first_move(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """The position after the volley between the last set-up and the first move, and its events.

        Without a hit the position is the given one and there are no events.
        """

    @abstractmethod
    def inferences(
        self,
        seat: Seat,
        pieces: Mapping[int, TrackedPiece],
        turn: Seat,
        hits: Mapping[int, bool],
        *,
        opening: bool,
    ) -> Iterable[Inference]:
        """What a seat learns of pieces from the volley before a turn, or from its absence.

        `pieces` are those before the volley, by cell. `hits` maps each cell hit to whether its
        piece was removed. `opening` says that nobody has moved yet.
        """

    @abstractmethod
    def shots(
        self,
        seat: Seat,
        pieces: Mapping[int, TrackedPiece],
        turn: Seat,
        hits: Mapping[int, bool],
    ) -> Iterable[Shot]:
        """The hits of the volley before a turn on a seat's pieces, each with who may have shot.

        `pieces` and `hits` are as for `inferences`. The turn of each shot is 0.
        """


class JumpCaptures(ABC):
    """Captures by chains of jumps, of which there may be thousands in one position (A12, A13b)."""

    seat: Seat  # the side that captures

    @abstractmethod
    def other_moves(self, position: Position) -> Iterable[Move]:
        """The legal moves of that side that are no captures."""

    @abstractmethod
    def continuations(self, position: Position, move: Capture | None) -> tuple[Capture, ...]:
        """The chains one jump longer than a given one; the single jumps for None.

        Where captures are compulsory a chain found here may still be too short to be legal.
        """

    @abstractmethod
    def jumped_over(self, path: Sequence[str]) -> tuple[str, ...]:
        """The squares jumped over along the squares of a move, by name; a step has none."""

    @abstractmethod
    def threatened(self, pieces: Mapping[str, Seat]) -> tuple[str, ...]:
        """The squares of pieces that could be captured next, by name."""


class SetupAliases(ABC):
    """Notations of other programs and editions in which people write set-ups."""

    numbered_files: int  # files of a row in which numbers stand for ranks

    @abstractmethod
    def canonical(self, rules: Armies, seat: Seat, text: str) -> str:
        """The canonical text of an alias; any other text as it is.

        Raises BadSetup for a text that is meant as an alias and is not a correct one.
        """

    @abstractmethod
    def numbers_ranks(self, rules: Armies, rows: Iterable[str]) -> bool:
        """Whether digits in the rows of a set-up stand for ranks and not for empty squares."""
