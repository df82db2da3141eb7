"""What waits for the asker."""

from typing import Literal

from pydantic import Field

from games.api.schemas.basics import Answer, Instant, Person, SeatLetter
from games.api.schemas.invitations import Invitation


class Turn(Answer):
    """A match in which it is the asker's turn."""

    match: int
    preset: str
    seat: SeatLetter
    ask: Literal["setup", "move"]
    ply: int
    opponent: Person
    deadline: Instant | None
    draw_offered: bool = Field(description="whether the opponent offers a draw")
    pause_offered: bool


class Waiting(Answer):
    """The asker's turns, the nearest deadline first, and challenges to the asker.

    A turn that the asker's plan will answer is not among them.
    """

    matches: list[Turn] = Field(description="at most 100")
    invitations: list[Invitation] = Field(description="at most 100")
