"""Lines of the protocol: what a seat is told before each of its answers, as JSON objects.

A line holds what the seat's observation holds and the actions that it heard of, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset

UNKNOWN = "?"  # in `fallen`: a piece whose rank was never told
EVERYBODY = "*"  # in `heard`: a volley before anybody moved

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """An action that everybody saw: whose, and its annotated text. Seat None is a first volley."""

    seat: Seat | None
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the protocol: what was asked, and what the seat was told with it.

    `legal` is empty where there are too many moves to list.
    """

    ask: str
    rules: Ruleset
    seat: Seat
    observation: Observation
    heard: tuple[Heard, ...]
    legal: tuple[str, ...]
