"""Tally: what a position of Assaut remembers, the soldiers captured and the officers to huff."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.refusals import BadPosition, gettext_noop
from games.rules.core.basics.sentence import Sentence
from games.rules.core.ruleset.optional_parts import Memory
from games.rules.core.state.position import Position
from games.rules.systems.assaut.geometry import BOARD


class Tally(NamedTuple):
    """`Position.memory`: soldiers captured, and the points of officers that may be huffed (A13)."""

    captured: int = 0
    offenders: tuple[int, ...] = ()


class TallyMemory(Memory):
    """The tally as two fields of the position text: `7 d6`."""

    def write(self, position: Position) -> list[str]:
        captured, offenders = position.memory
        points = ",".join(sorted(BOARD.names[cell] for cell in offenders))
        return [str(captured), points or "-"]

    def read(self, fields: list[str]) -> Any:
        if not fields:
            return Tally()
        captured, points = (*fields, "-")[:2]
        named = [] if points == "-" else points.split(",")
        if (
            len(fields) > 2
            or not (captured.isascii() and captured.isdigit() and len(captured) < 4)
            or not all(BOARD.playable(point) for point in named)
        ):
            raise BadPosition(
                gettext_noop(
                    "After the ply number come the soldiers captured and the points that may "
                    "be huffed, for example 7 d6."
                )
            )
        return Tally(int(captured), tuple(sorted(BOARD.index[point] for point in named)))

    def from_losses(self, fallen: BySeat[tuple[Rank | None, ...]]) -> list[str]:
        return [str(len(fallen[Seat.SOUTH]))]

    def imagined(
        self,
        cells: bytes,
        fallen: BySeat[tuple[Rank | None, ...]],
        aside: BySeat[tuple[Rank, ...] | None],
        notes: Sequence[Sentence],
    ) -> Any:
        points = [
            BOARD.index[str(note.values["point"])] for note in notes if "point" in note.values
        ]
        return Tally(len(fallen[Seat.SOUTH]), tuple(sorted(points)))


TALLY_MEMORY = TallyMemory()
