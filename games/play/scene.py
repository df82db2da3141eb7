"""A match at one ply, as a reader sees it: what boards, lists and sentences are made from.

Whoever has plies to show makes a Scene of them: sight for the matches played here, the archive for
records that were brought along. What is hidden from the reader is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.play.models.kind import Kind
from games.rules.core.army import Seat
from games.rules.core.observation import Observation
from games.rules.core.ruleset import Ruleset
from games.rules.core.viewpoint import Viewpoint


class NoSuchPly(Exception):  # noqa: N818 -- what is asked for is not there; nothing went wrong.
    """The match has no ply of that number."""


@dataclass(frozen=True)
class Entry:
    """A ply as everybody saw it."""

    number: int
    seat: Seat | None
    kind: Kind
    text: str


@dataclass(frozen=True)
class TimedEntry(Entry):
    """The same with the instant at which it arrived."""

    at: datetime


@dataclass(frozen=True)
class Scene:
    """One ply, through somebody's eyes."""

    rules: Ruleset
    viewpoint: Viewpoint
    sides: Mapping[Seat, str]  # who plays, by the names that readers are told, South first
    opening: int | None  # the ply with which the last set-up was in
    last: int  # the newest ply
    number: int  # the ply looked at
    observation: Observation
    entries: tuple[Entry, ...]  # the public plies around it, oldest first

    @property
    def names(self) -> str:
        """Who plays, South first."""
        return " – ".join(self.sides.values())

    @property
    def entry(self) -> Entry:
        """The ply looked at."""
        return next(entry for entry in self.entries if entry.number == self.number)

    @property
    def near_seat(self) -> Seat:
        """The seat at the foot of the board: the one whose eyes it is seen with, else South."""
        return self.viewpoint.seat or Seat.SOUTH

    @property
    def shown_ply(self) -> int:
        """The ply as people count: 0 until both armies stand, then one a move."""
        return 0 if self.opening is None else max(0, self.number - self.opening)

    @property
    def shown_last(self) -> int:
        """The newest ply that has a board of its own, as people count."""
        return max(0, self.last - (self.opening or 0))

    @property
    def shown_before(self) -> int:
        return max(0, self.shown_ply - 1)

    @property
    def shown_after(self) -> int:
        return min(self.shown_last, self.shown_ply + 1)

    @property
    def at_first(self) -> bool:
        return self.shown_ply == 0

    @property
    def at_last(self) -> bool:
        return self.shown_ply == self.shown_last
