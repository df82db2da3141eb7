"""Events of talk."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class TalkCame(Event):
    """A player wrote to an opponent who had read all talk of the match. People: the opponent."""

    name = "talk-came"
    private = True

    match: int
    line: int  # Line.number
