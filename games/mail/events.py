"""Events of play by mail."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class MessageAnswered(Event):
    """A player's message was dealt with, and its receipt is to be sent. People: the player."""

    name = "mail-receipt"

    message: int
