"""Events of the lobby, each published once by the command that causes it."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class Challenged(Event):
    """A player was challenged. People: the challenged player."""

    name = "challenged"

    invitation: int


@dataclass(frozen=True, kw_only=True)
class InvitationDeclined(Event):
    """A challenge was declined. People: its owner."""

    name = "invitation-declined"

    invitation: int


@dataclass(frozen=True, kw_only=True)
class InvitationExpiresSoon(Event):
    """An open invitation expires soon. People: its owner."""

    name = "invitation-stale"

    invitation: int
    prolonged: int  # how often it was prolonged


@dataclass(frozen=True, kw_only=True)
class InvitationExpired(Event):
    """An invitation expired. People: its owner."""

    name = "invitation-expired"

    invitation: int
