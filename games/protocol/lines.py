"""Types of the bot protocol: a line as JSON, and the same line parsed.

A line holds the seat's observation and the actions it heard of, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset

UNKNOWN = "?"  # in `fallen`: a piece whose rank this seat never learnt
EVERYBODY = "*"  # in `heard`: a volley before the first move

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PublicAction:
    """An action that both seats saw, as annotated text; `seat` is None for a first volley."""

    seat: Seat | None
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed line about a set-up or a move.

    `ask` is "setup", "move", or "hear" for a turn that was played before. `legal` is empty where
    there are too many moves to list, and in a "hear" line.
    """

    ask: str
    rules: Ruleset
    seat: Seat
    observation: Observation
    heard: tuple[PublicAction, ...]
    legal: tuple[str, ...]
