"""Time controls and deadlines: pure, in seconds of UTC. Whoever asks brings the instant."""

from dataclasses import dataclass
from datetime import datetime, timedelta

GRACE = timedelta(seconds=60)
"""How long a sweep waits after a deadline: a move that arrived in time may still be on its way."""


@dataclass(frozen=True)
class TimeControl:
    """So much time for each action; the rest is not saved up."""

    move: timedelta

    def deadline(self, start: datetime) -> datetime:
        """When an action that could begin at `start` must have arrived."""
        return start + self.move

    def reminder(self, start: datetime) -> datetime:
        """When to remind: 24 hours before the deadline, or half-way where there is less time."""
        return self.deadline(start) - min(timedelta(hours=24), self.move / 2)


def parse(text: str) -> TimeControl:
    """The time control written as "3d" (days per action) or "36h"; ValueError for anything else."""
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in ("d", "h") or int(number) == 0:
        raise ValueError(f"{text!r} is no time control; write days as in 3d, or hours as in 36h.")
    count = int(number)
    return TimeControl(timedelta(days=count) if unit == "d" else timedelta(hours=count))


def is_late(arrived_at: datetime, deadline: datetime | None) -> bool:
    """A move counts by its arrival; the deadline's own instant is still in time."""
    return deadline is not None and arrived_at > deadline
