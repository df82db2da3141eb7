"""What the other schemas are made of: base classes, instants, numbers, people."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

from accounts.values import usernames
from games.play.converters import MAX_DIGITS

MAX_NUMBER = 10**MAX_DIGITS - 1


class Answer(BaseModel):
    """Base of what is sent. Readers ignore members that they do not know."""


class Body(BaseModel):
    """Base of what is taken: no other members, and no values of other types."""

    model_config = ConfigDict(strict=True, extra="forbid")


def write_instant(at: datetime) -> str:
    """UTC in whole seconds, rounded down: 2026-11-26T09:00:00Z."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


Instant = Annotated[
    datetime,
    PlainSerializer(write_instant, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


def _read_number(value: Any) -> Any:
    """A number of a query; its text has digits alone, where pydantic accepts blanks and signs."""
    if isinstance(value, str) and not re.fullmatch(rf"[0-9]{{1,{MAX_DIGITS}}}", value):
        raise PydanticCustomError("int_parsing", "not a number")
    return value


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER), BeforeValidator(_read_number)]
SeatLetter = Annotated[str, Field(examples=["S"], description="S, N; in Assaut S, O")]
Kind = Literal["person", "bot", "house", "former"]


def _read_switch(value: Any) -> Any:
    """One error for a value of another type, where pydantic has one for each type allowed."""
    if not isinstance(value, bool | int | str):
        raise PydanticCustomError("switch_type", "not a switch")
    return value


Switches = dict[str, Annotated[bool | int | str, BeforeValidator(_read_switch)]]


class Person(Answer):
    """An account."""

    name: str
    kind: Kind


def person(name: str) -> Person:
    """The account of this username, whose beginning says what plays."""
    return Person(name=name, kind=kind_of(name))


def kind_of(name: str) -> Kind:
    """What plays under this name; the same as User.kind, which lists of names have not read."""
    if usernames.is_house(name):
        return "house"
    if usernames.is_bot(name):
        return "bot"
    return "former" if name.startswith(usernames.FORMER) else "person"
