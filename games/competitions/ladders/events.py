"""Events of ladders."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class LadderDropNear(Event):
    """A member who does not play will be dropped from a ladder in a week. People: that member."""

    name = "ladder-drop-near"

    ladder: int
    member: int
    warning: int  # Member.warnings


@dataclass(frozen=True, kw_only=True)
class LadderDropped(Event):
    """A member was dropped from a ladder. People: that member."""

    name = "ladder-dropped"

    ladder: int
    change: int  # the entry of the log
