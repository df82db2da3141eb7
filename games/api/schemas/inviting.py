"""An invitation as it is offered."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from games.api.schemas.basics import Body, Switches
from games.lobby.invitations.conditions import MAX_RATING, MAX_REPEATS, MIN_RATING
from games.rules.proof.deal import LONGEST_WORDS_CHARACTERS

MAX_SWITCHES = 40
Pace = Literal[
    "1d",
    "2d",
    "3d",
    "5d",
    "7d",
    "10d",
    "14d",
    "30d",
    "24h+4h^72h",
    "72h+12h^120h",
    "72h+36h^240h",
    "30d+3d",
    "none",
]
Finished = Literal[0, 1, 5, 20]


def _whole_number(value: Any) -> Any:
    """Refuse true, which pydantic takes for the 1 of a literal."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "not a number")
    return value


Rating = Annotated[int | None, Field(ge=MIN_RATING, le=MAX_RATING)]
Words = Annotated[
    str,
    Field(
        max_length=LONGEST_WORDS_CHARACTERS,
        description="for the deal of tiles, which depends on them; the opponent does not see them",
    ),
]


class InvitationBody(Body):
    """An offer of a match. Everything but `preset` has a default.

    Only open seats have conditions (`rating_from` to `reliable`) and `repeats`.
    """

    preset: Annotated[str, Field(max_length=40, examples=["lattaque-en"])]
    guest: Annotated[
        str | None, Field(max_length=40, description="a username; null: an open seat")
    ] = None
    switches: Annotated[
        Switches, Field(max_length=MAX_SWITCHES, description="options that differ")
    ] = {}
    seat: Annotated[
        str | None, Field(max_length=1, description="the asker's letter; null: drawn by lot")
    ] = None
    set: Annotated[bool, Field(description="two matches at once, with sides swapped")] = False
    pace: Pace = "3d"
    setup_days: Annotated[int | None, Field(ge=1, le=60, description="null: as the site")] = None
    soft: Annotated[bool, Field(description="a win on time has to be claimed")] = False
    vacations: bool = True
    memory_aid: bool = True
    rated: Annotated[bool, Field(description="counts for ratings; never against programs")] = False
    listed: Annotated[
        bool,
        Field(description="visitors find the match in a list while it runs; its page is public"),
    ] = True
    rating_from: Annotated[
        Rating, Field(description="who may accept: by rating, 1500 without one; null: all")
    ] = None
    rating_to: Rating = None
    established: Annotated[
        bool, Field(description="who may accept: only ratings without a question mark")
    ] = False
    min_finished: Annotated[
        Finished,
        BeforeValidator(_whole_number),
        Field(description="who may accept: finished matches against people, at least"),
    ] = 0
    reliable: Annotated[
        bool, Field(description="who may accept: nothing missed within 90 days")
    ] = False
    repeats: Annotated[
        int, Field(ge=0, le=MAX_REPEATS, description="offered again so often when accepted")
    ] = 0
    note: Annotated[str, Field(max_length=200)] = ""
    words: Words = ""


class AcceptanceBody(Body):
    """How an invitation is accepted. No body is the same as an empty object."""

    words: Words = ""
