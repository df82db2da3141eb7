"""What happened in a turn: past facts, and what each viewpoint gets to see of them.

The one rule: an event that does not say who sees it is seen by nobody.
"""

from dataclasses import dataclass

from games.rules.core.army import Rank, Seat
from games.rules.core.position import Outcome
from games.rules.core.viewpoint import Viewpoint


class Sighting:
    """A fact as one viewpoint learned it. Squares and ranks are names."""

    __slots__ = ()


class Event:
    """A fact. Unless a class says otherwise nobody sees it."""

    __slots__ = ()

    def seen_from(self, viewpoint: Viewpoint) -> Sighting | None:
        return None


class Announcement(Event, Sighting):
    """A fact that is told to everybody at once, onlookers too."""

    __slots__ = ()

    def seen_from(self, viewpoint: Viewpoint) -> Sighting | None:
        return self


@dataclass(frozen=True, slots=True)
class Deployed(Announcement):
    """A side has set up. Where it stands is no part of this."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Walked(Announcement):
    """A piece went to an empty square; in a charge, before it struck."""

    seat: Seat
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Shown(Announcement):
    """A piece has been turned face up for good (L5)."""

    seat: Seat
    square: str
    rank: Rank


@dataclass(frozen=True, slots=True)
class Clashed(Announcement):
    """A battle; both ranks are told, a demoted one with its `'`.

    `seat` is the attacker's, `source` the square from which it struck. `result` is the notation's:
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
    """A piece demoted in battle has changed sides; `seat` is its new one (T13)."""

    seat: Seat
    square: str


@dataclass(frozen=True, slots=True)
class Volleyed(Announcement):
    """Archers have shot: the squares hit, and whether the piece there was removed (T9).

    Neither the archers' squares nor any rank is told. Hits run as the board text does.
    """

    hits: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Captured(Announcement):
    """An officer has jumped: the points it touched and the points whose soldiers it took."""

    seat: Seat
    points: tuple[str, ...]
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blown(Announcement):
    """An offending officer has been removed (A13)."""

    seat: Seat
    point: str


@dataclass(frozen=True, slots=True)
class Ended(Announcement):
    """The game is over. The last event of a match, and there is one only."""

    outcome: Outcome


class WalkEvents(dict[int, tuple[Event, ...]]):
    """What a plain walk tells, by source and target; filled as it is used."""

    def __init__(self, seat: Seat, names: tuple[str, ...]) -> None:
        super().__init__()
        self.seat = seat
        self.names = names

    def __missing__(self, key: int) -> tuple[Event, ...]:
        event = Walked(self.seat, self.names[key >> 8], self.names[key & 0xFF])
        self[key] = (event,)
        return self[key]
