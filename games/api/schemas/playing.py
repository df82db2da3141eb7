"""Moves, set-ups and actions as they are sent, and what is answered."""

from typing import Annotated, Literal

from pydantic import Field

from games.api.schemas.basics import Answer, Body, Number
from games.api.schemas.matches import MatchStatus

MAX_MOVE_CHARACTERS = 300
MAX_SETUP_CHARACTERS = 2_000

Action = Literal[
    "resign",
    "abort",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "claim",
    "give-day",
    "offer-pause",
    "accept-pause",
    "decline-pause",
    "resume",
]


class MoveBody(Body):
    """A move, and the ply after which it is to be played."""

    move: Annotated[str, Field(max_length=MAX_MOVE_CHARACTERS, examples=["a4-a5"])]
    ply: Annotated[Number, Field(description="the match's newest ply", examples=[14])]


class SetupBody(Body):
    """A set-up."""

    setup: Annotated[str, Field(max_length=MAX_SETUP_CHARACTERS, description="as in records")]


class ActionBody(Body):
    """An action in a match. Offering what the opponent offers accepts it."""

    action: Action


class Receipt(Answer):
    """What came of it, and the match's status."""

    match: int
    ply: int = Field(description="that was played; after an action, the newest")
    status: MatchStatus
    repeated: bool = Field(description="whether this very move had been played before")
