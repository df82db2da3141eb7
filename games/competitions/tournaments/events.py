"""Events of tournaments, each published once by the command that causes it."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class TournamentBegins(Event):
    """A tournament was drawn. People: those who play in it."""

    name = "tournament-begins"

    tournament: int


@dataclass(frozen=True, kw_only=True)
class TournamentCancelled(Event):
    """A tournament was cancelled. People: those who had entered or played."""

    name = "tournament-cancelled"

    tournament: int


@dataclass(frozen=True, kw_only=True)
class TournamentAdvanced(Event):
    """A tournament's final begins. People: those who play in it."""

    name = "tournament-advanced"

    tournament: int


@dataclass(frozen=True, kw_only=True)
class TournamentOver(Event):
    """A tournament is over. People: one player; `place` is theirs, 0 for none."""

    name = "tournament-over"

    tournament: int
    place: int


@dataclass(frozen=True, kw_only=True)
class TournamentWithdrawn(Event):
    """A player withdrew or dropped out. People: the player, and the opponents left."""

    name = "tournament-withdrawn"

    tournament: int
    entry: int
