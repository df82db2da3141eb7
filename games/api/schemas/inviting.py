"""An invitation as it is offered."""

from typing import Annotated, Literal

from pydantic import Field

from games.api.schemas.basics import Body, Switches

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


class InvitationBody(Body):
    """An offer of a match. Everything but `preset` has a default."""

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
    note: Annotated[str, Field(max_length=200)] = ""
