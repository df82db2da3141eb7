"""What ratings exports of a person: each rated result, with their own rating around it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from games.ratings.models import Unit
from lib.exports.files import File, csv_file, in_batches, values
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

COLUMNS = (
    *("family", "number", "match", "finished_at", "final_at", "least_turns", "how"),
    *("loser_last_ply_at", "taken_out", "taken_out_reason", "why"),
)
STATE = tuple(
    f"{at}{part}" for at in ("before", "after") for part in ("", "_deviation", "_volatility")
)
HEADER = (*COLUMNS, "opponent", "first_seat", "quarters", *STATE)
OF_SEATS = tuple(f"{seat}_{name}" for seat in ("south", "north") for name in STATE)
QUARTERS = 4  # of a won unit


def files(user: User) -> Iterator[File]:
    """ratings.csv."""
    yield csv_file("ratings.csv", HEADER, _lines(user))


def _lines(user: User) -> Iterator[list[Any]]:
    units = Unit.objects.select_related("south", "north").order_by("family", "number")
    # Two queries by an index each; with OR, the database may read all units.
    for unit in chain(in_batches(units.filter(south=user)), in_batches(units.filter(north=user))):
        own, other = ("south", "north") if unit.south_id == user.pk else ("north", "south")
        quarters = unit.quarters
        if own == "north" and quarters is not None:
            quarters = QUARTERS - quarters
        columns = values(unit, COLUMNS)
        states = (getattr(unit, f"{own}_{name}") for name in STATE)
        yield [*columns.values(), getattr(unit, other).username, own, quarters, *states]


EXPORT = Part(
    files,
    {
        "ratings.Unit": Exported(
            "ratings.csv",
            (*COLUMNS, "south", "north", "quarters", *OF_SEATS),
            {"id": "A number without meaning."},
        ),
    },
    {
        "ratings.Rating": "It is what the newest counted line of ratings.csv says.",
        "ratings.FinalUnit": "It waits for its number, for a minute at most.",
        "ratings.Family": "It is about the site, not about a person.",
    },
)
