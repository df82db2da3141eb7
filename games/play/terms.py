"""Terms: what two players agree on before a match, as one value.

A new term is a field here, a column of the same name in games/play/models/terms_columns.py, a field
of the form of invitations, a line in games/play/words/terms.py, and a member of InvitationBody and
Invitation in games/api/schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from games.play import time_controls
from games.rules import registry
from games.rules.core.basics.options import Value
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset

DEFAULT_PACE = "3d"

# A player who made fewer turns has not really played: the match counts neither as one that they
# finished nor for ratings.
MIN_TURNS = 2


@dataclass(frozen=True)
class Terms:
    """The terms of a match or of a set of two; equal terms are equal values.

    Validated when made. Options that make another edition become that edition, and an empty
    `setup_pace` becomes the default for the pace. Raises UnknownRuleset, which is a Refusal, and
    ValueError for a time control that cannot be read or a set-up without a limit.
    """

    preset: str  # a key of games.rules.registry
    switches: Mapping[str, Value] = field(
        default_factory=dict, hash=False
    )  # those that differ from the preset
    seat: Seat | None = None  # of the player who offers, in the first match of a set; None: drawn
    as_set: bool = False  # two matches at once with sides swapped, see words/sets.py
    pace: str = DEFAULT_PACE  # in the format of time_controls.parse, as the next
    setup_pace: str = ""
    soft: bool = False  # when time is up, the opponent decides
    vacations: bool = False  # players' vacations move deadlines
    memory_aid: bool = True  # the match pages show what a player has seen
    rated: bool = False  # the result counts for the players' ratings
    listed: bool = True  # the running match is listed for visitors

    def __post_init__(self) -> None:
        preset, switches = registry.canonical_edition(self.preset, self.switches)
        setup_pace = self.setup_pace or time_controls.default_setup_pace(self.pace)
        time_controls.parse(self.pace)
        if time_controls.parse(setup_pace).bank is None:
            raise ValueError("A set-up needs a limit of its own.")
        seat = None if self.seat is None else Seat(self.seat)
        checked = {"preset": preset, "switches": switches, "setup_pace": setup_pace, "seat": seat}
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Terms from values by the names of the fields; other names are ignored."""
        return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})

    def values(self) -> dict[str, Any]:
        """The fields by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def rules(self) -> Ruleset:
        """The rule set: the preset with these switches."""
        return registry.ruleset(self.preset, self.switches)
