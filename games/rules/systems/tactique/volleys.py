"""Volleys of Tactique as an optional part of its ruleset: hits and inferences (T8)."""

from collections.abc import Iterator, Mapping

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.optional_parts import Volleys
from games.rules.core.state.events import Ended, Event
from games.rules.core.state.position import Position
from games.rules.core.state.tracked_pieces import Inference, Shot, TrackedPiece
from games.rules.systems.tactique.archers import Archers
from games.rules.systems.tactique.pieces import ARCHER
from games.rules.systems.tactique.volley_inferences import ObservedVolley


class ArcherVolleys(Volleys):
    """The volleys of some archers; `first` says whether they shoot before anybody has moved."""

    shooter: Rank = ARCHER

    def __init__(self, archers: Archers, *, first: bool) -> None:
        self.archers = archers
        self.first = first

    def before_first_move(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        hits = self.archers.hits(cells, position.turn)
        if not hits or not self.first:
            return position, ()
        volley, losses, outcome = self.archers.shoot(cells, hits, position.memory)
        events: tuple[Event, ...] = (volley, Ended(outcome)) if outcome else (volley,)
        return position._replace(cells=bytes(cells), memory=losses, outcome=outcome), events

    def inferences(
        self,
        seat: Seat,
        pieces: Mapping[int, TrackedPiece],
        turn: Seat,
        hits: Mapping[int, bool],
        *,
        opening: bool,
    ) -> Iterator[Inference]:
        if not opening or self.first:
            yield from ObservedVolley(self.archers, seat, pieces, hits).inferences(turn)

    def shots(
        self,
        seat: Seat,
        pieces: Mapping[int, TrackedPiece],
        turn: Seat,
        hits: Mapping[int, bool],
    ) -> Iterator[Shot]:
        return ObservedVolley(self.archers, seat, pieces, hits).shots(turn)
