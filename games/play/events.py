"""Events of matches, each published once by the command that causes it.

`people` are the users concerned. `ply` is the newest ply of the match at the event. Other numbers
distinguish two events of one kind at the same ply.
"""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class MatchOpened(Event):
    """A match was opened, and its players are to set up. People: both players."""

    name = "match-began"

    match: int


@dataclass(frozen=True, kw_only=True)
class TurnCame(Event):
    """A player is to move or set up. People: that player."""

    name = "turn-came"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class MatchEnded(Event):
    """A match is over, however it ended. People: both players."""

    name = "match-over"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class MatchFinal(Event):
    """The ending of a match is final. People: both players.

    A moderator may still void the match; then it ends once more and is final once more.
    """

    name = "match-final"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class MatchReopened(Event):
    """An administrator undid a result. People: both players."""

    name = "match-reopened"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class ArmiesSeen(Event):
    """Two members of staff have opened both armies of a running match. People: both players."""

    name = "armies-seen"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class DrawOffered(Event):
    """A draw was offered. People: the player who may accept it."""

    name = "draw-offered"

    match: int
    ply: int
    offer: int  # Match.draws_offered


@dataclass(frozen=True, kw_only=True)
class DrawDeclined(Event):
    """A draw was declined. People: the player who had offered it."""

    name = "draw-declined"

    match: int
    ply: int
    offer: int  # Match.draws_offered


@dataclass(frozen=True, kw_only=True)
class TimeGiven(Event):
    """A player gave the opponent a day. People: the opponent."""

    name = "time-given"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class TimeExtended(Event):
    """An administrator gave more time to one or both players. People: both players."""

    name = "time-extended"

    match: int
    ply: int
    adjustment: int  # the newest entry in the clock adjustment log


@dataclass(frozen=True, kw_only=True)
class DeadlineNear(Event):
    """A deadline is near. People: the player with the deadline."""

    name = "deadline-near"

    match: int
    ply: int  # 0 during the set-up, when the opponent's plies may come in between
    step: int  # the number of the reminder


@dataclass(frozen=True, kw_only=True)
class TimeUp(Event):
    """Time is up in a match that waits for a claim. People: the player who may claim the win."""

    name = "time-up"

    match: int
    ply: int
    clock_version: int  # Player.clock_version of the clock that ran out


@dataclass(frozen=True, kw_only=True)
class PauseOffered(Event):
    """A pause was offered. People: the player who may accept it."""

    name = "pause-offered"

    match: int
    ply: int
    offer: int  # Match.pauses_offered


@dataclass(frozen=True, kw_only=True)
class MatchPaused(Event):
    """Both players agreed on a pause. People: the player who had offered it."""

    name = "match-paused"

    match: int
    ply: int
    clock_version: int  # the sum of both Player.clock_version


@dataclass(frozen=True, kw_only=True)
class MatchResumed(Event):
    """A player ended a pause. People: the other player."""

    name = "match-resumed"

    match: int
    ply: int
    clock_version: int  # the sum of both Player.clock_version


@dataclass(frozen=True, kw_only=True)
class VacationBegan(Event):
    """A player's vacation began. People: the opponent in one match."""

    name = "vacation-began"

    match: int
    vacation: int


@dataclass(frozen=True, kw_only=True)
class TimeCredited(Event):
    """Clocks were credited with the time of an outage. People: the players with these clocks."""

    name = "clock-credited"

    outage: int
