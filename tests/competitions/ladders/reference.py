"""A ladder as lists in memory, slow and exactly as the rules say, for comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

DAY = timedelta(days=1)
ON_TIME = ("time", "no-show")  # endings that are final two days later


@dataclass
class Fight:
    """A challenge. `winner` is None for a draw; `guilty` aborted it or did not set up."""

    number: int
    challenger: str
    challenged: str
    opened: datetime
    ended: datetime | None = None
    how: str = ""
    winner: str | None = None
    guilty: tuple[str, ...] = ()
    settled: bool = False

    @property
    def players(self) -> tuple[str, str]:
        return self.challenger, self.challenged

    @property
    def final(self) -> datetime | None:
        if self.ended is None:
            return None
        return self.ended + 2 * DAY if self.how in ON_TIME else self.ended

    def missed_by(self, name: str) -> bool:
        if self.how == "time":
            return name in self.players and self.winner != name
        return self.how == "no-show" and name in self.guilty

    def is_won(self) -> bool:
        """Whether the challenger has more points."""
        if self.how in ("aborted", "no-show"):
            return self.guilty == (self.challenged,)
        return self.how != "void" and self.winner == self.challenger


@dataclass
class Reference:
    order: list[str] = field(default_factory=list)
    going: dict[str, str] = field(default_factory=dict)
    joined: dict[str, datetime] = field(default_factory=dict)
    moved: dict[str, datetime] = field(default_factory=dict)
    dropped: dict[str, datetime] = field(default_factory=dict)
    fights: list[Fight] = field(default_factory=list)
    won: list[tuple[str, int, int]] = field(default_factory=list)

    def running(self) -> list[Fight]:
        return [fight for fight in self.fights if not fight.settled]

    def barred(self, name: str, at: datetime) -> bool:
        own = [
            f for f in self.fights if name in f.players and f.ended is not None and f.ended <= at
        ]
        misses = [f.ended for f in own if f.missed_by(name) and f.ended and f.ended > at - 90 * DAY]
        if len(misses) < 3:
            return False
        return not any(
            f.how in ("board", "time")
            and not f.missed_by(name)
            and f.ended
            and f.ended > max(misses)
            for f in own
        )

    def may_join(self, name: str, at: datetime) -> bool:
        if name in self.order:
            return name not in self.going
        last = self.dropped.get(name)
        played = any(
            name in f.players and f.how in ("board", "time") and not f.missed_by(name)
            for f in self.fights
        )
        waits = last is not None and at - last < 30 * DAY
        return not self.barred(name, at) and not waits and played

    def join(self, name: str, at: datetime) -> None:
        if name not in self.order:
            self.order.append(name)
            self.joined[name] = at

    def may_challenge(self, one: str, other: str, at: datetime) -> bool:
        if one not in self.order or other not in self.order or self.going.keys() & {one, other}:
            return False
        place, above = self.order.index(one) + 1, self.order.index(other) + 1
        reach = min(10, max(3, -(-len(self.order) // 10)))
        out = [f for f in self.running() if f.challenger == one]
        into = [f for f in self.running() if f.challenged == other and f.opened > at - 30 * DAY]
        pair = [f for f in self.fights if {*f.players} == {one, other}]
        rests = any(f.settled and f.final and f.final > at - 14 * DAY for f in pair)
        return (
            not self.barred(one, at)
            and 0 < place - above <= reach
            and len(out) < 2
            and len(into) < (3 if above <= 5 else 2)
            and all(f.settled for f in pair)
            and not rests
        )

    def leave(self, name: str) -> None:
        self.going.setdefault(name, "left")
        self._take_off(name, None)

    def tick(self, at: datetime) -> None:
        due = [f for f in self.running() if f.final is not None and f.final <= at]
        for fight in sorted(due, key=lambda f: (f.final, f.number)):
            if fight.is_won():
                self._move_up(fight)
            fight.settled = True
            for name in sorted(fight.players, key=self._place, reverse=True):
                if name in self.order:
                    if fight.missed_by(name) and self._misses(name, fight) >= 2:
                        self.going.setdefault(name, "missed")
                    self._take_off(name, at)
        for name in list(self.order):
            last = max(self.joined[name], self.moved.get(name, self.joined[name]))
            if name not in self.going and at >= last + 45 * DAY:
                self.going[name] = "idle"
                self._take_off(name, at)

    def _place(self, name: str) -> int:
        return self.order.index(name) if name in self.order else -1

    def _misses(self, name: str, newest: Fight) -> int:
        assert newest.final is not None
        return sum(
            f.settled
            and f.missed_by(name)
            and f.final is not None
            and f.final > newest.final - 90 * DAY
            for f in self.fights
        )

    def _move_up(self, fight: Fight) -> None:
        if not {*fight.players} <= {*self.order}:
            return
        below, above = map(self.order.index, fight.players)
        if below > above:
            self.order.insert(above, self.order.pop(below))
            self.won.append((fight.challenger, below + 1, above + 1))

    def _take_off(self, name: str, at: datetime | None) -> None:
        if name not in self.going or any(name in f.players for f in self.running()):
            return
        self.order.remove(name)
        if self.going.pop(name) == "missed" and at is not None:
            self.dropped[name] = at
