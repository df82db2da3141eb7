"""Events: what happened in a turn, and what each viewpoint sees of it.

By default nobody sees an event; a subclass has to say who does.
"""

from dataclasses import dataclass

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.state.position import Outcome


class Sighting:
    """An event as one viewpoint saw it. Squares and ranks are names."""

    __slots__ = ()


class Event:
    """Something that happened. Nobody sees it unless a subclass says otherwise."""

    __slots__ = ()

    def seen_from(self, viewpoint: Viewpoint) -> Sighting | None:
        return None


class Announcement(Event, Sighting):
    """An event that everybody sees at once, onlookers included."""

    __slots__ = ()

    def seen_from(self, viewpoint: Viewpoint) -> Sighting | None:
        return self


@dataclass(frozen=True, slots=True)
class Deployed(Announcement):
    """Set-up: a side has placed its army. Where the pieces are is not shown."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Walked(Announcement):
    """Move to an empty square; in a charge, the part before the attack."""

    seat: Seat
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Shown(Announcement):
    """Reveal: a piece has been turned face up for good (L5)."""

    seat: Seat
    square: str
    rank: Rank


@dataclass(frozen=True, slots=True)
class Clashed(Announcement):
    """Battle: both ranks are shown, a demoted one with its `'`.

    `seat` is the attacker's, `source` the square it attacked from. `result` is the notation's:
    `+` `-` `=` `#`, or `+d` and `-d` for a demoted loser.
    """

    seat: Seat
    source: str
    target: str
    attacker: Rank
    defender: Rank
    result: str


@dataclass(frozen=True, slots=True)
class Converted(Announcement):
    """Change of sides: a piece was demoted in battle; `seat` is its new side (T13)."""

    seat: Seat
    square: str


@dataclass(frozen=True, slots=True)
class Volleyed(Announcement):
    """Volley of archers: the squares hit, and whether the piece there was removed (T9).

    Neither the archers' squares nor any rank is shown. Hits are in the order of the board text.
    """

    hits: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Captured(Announcement):
    """Capture by an officer: the points it touched, and those of the soldiers taken (A11)."""

    seat: Seat
    points: tuple[str, ...]
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Huffed(Announcement):
    """Huff: an officer that missed a capture has been removed (A13)."""

    seat: Seat
    point: str


@dataclass(frozen=True, slots=True)
class Ended(Announcement):
    """End of the game: the last event of a match."""

    outcome: Outcome


class WalkEvents(dict[int, tuple[Event, ...]]):
    """Cache of the events of plain moves, by source << 8 | target; filled as it is used."""

    def __init__(self, seat: Seat, names: tuple[str, ...]) -> None:
        super().__init__()
        self.seat = seat
        self.names = names

    def __missing__(self, key: int) -> tuple[Event, ...]:
        event = Walked(self.seat, self.names[key >> 8], self.names[key & 0xFF])
        self[key] = (event,)
        return self[key]
