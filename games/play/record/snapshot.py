"""Snapshot: a match at one ply as one reader sees it; boards, lists and sentences are made from it.

match_view.py makes snapshots of matches played here, the archive those of imported records. A
snapshot contains nothing that is hidden from its reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.play.models.kind import PlyKind
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset


class NoSuchPly(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The match has no ply of that number."""


@dataclass(frozen=True)
class Entry:
    """The public part of a ply."""

    number: int
    seat: Seat | None
    kind: PlyKind
    text: str


@dataclass(frozen=True)
class TimedEntry(Entry):
    """The public part of a ply, with its arrival."""

    at: datetime


@dataclass(frozen=True)
class Snapshot:
    """A match at one ply, seen from one viewpoint."""

    rules: Ruleset
    viewpoint: Viewpoint
    sides: Mapping[Seat, str]  # names of the players, South first
    opening: int | None  # the ply that completed the set-ups
    last: int  # the newest ply
    number: int  # the ply shown
    observation: Observation
    entries: tuple[Entry, ...]  # the public plies around it, oldest first

    @property
    def names(self) -> str:
        """The names of both players, South first."""
        return " – ".join(self.sides.values())

    @property
    def entry(self) -> Entry:
        """The ply shown."""
        return next(entry for entry in self.entries if entry.number == self.number)

    @property
    def near_seat(self) -> Seat:
        """The seat at the bottom of the board: that of the viewpoint, else South."""
        return self.viewpoint.seat or Seat.SOUTH

    @property
    def shown_ply(self) -> int:
        """The ply shown, counted from the first move; 0 before it."""
        return 0 if self.opening is None else max(0, self.number - self.opening)

    @property
    def shown_last(self) -> int:
        """The newest ply, counted from the first move."""
        return max(0, self.last - (self.opening or 0))

    @property
    def shown_before(self) -> int:
        """The ply before the one shown, for a link."""
        return max(0, self.shown_ply - 1)

    @property
    def shown_after(self) -> int:
        """The ply after the one shown, for a link."""
        return min(self.shown_last, self.shown_ply + 1)

    @property
    def last_turn(self) -> int:
        """The number of turns."""
        return self.shown_last

    @property
    def is_own(self) -> bool:
        """Whether the viewpoint is that of the reader's own seat."""
        return False

    @property
    def at_first(self) -> bool:
        """Whether the board before the first move is shown."""
        return self.shown_ply == 0

    @property
    def at_last(self) -> bool:
        """Whether the newest board is shown."""
        return self.shown_ply == self.shown_last


@dataclass(frozen=True)
class SeatedSnapshot(Snapshot):
    """A snapshot whose reader may have a seat, and choose a move on its board."""

    seat: Seat | None  # the reader's own

    @property
    def address(self) -> str:
        """The URL path of its page, with which the paths of its forms begin."""
        raise NotImplementedError

    @property
    def may_move(self) -> bool:
        """Whether the reader may choose a move now."""
        raise NotImplementedError

    @property
    def is_own(self) -> bool:
        """Whether the viewpoint is that of the reader's own seat."""
        return self.seat is not None and self.viewpoint.seat == self.seat
