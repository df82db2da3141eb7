"""Events of watching."""

from dataclasses import dataclass
from typing import ClassVar

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class FollowedMatchEnded(Event):
    """A match that somebody follows is over. People: its followers."""

    name = "followed-over"
    # Nobody but the follower may know who follows.
    private: ClassVar[bool] = True

    # Not named `match`, since its reader has no seat in it.
    followed: int  # the match
    ply: int
