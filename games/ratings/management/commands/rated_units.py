"""`manage.py rated_units`: the final rated units that have a score, as CSV."""

import csv
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.ratings.glicko import tables
from games.ratings.glicko.counting import Rated
from games.ratings.glicko.formula import State
from games.ratings.models import Unit
from games.ratings.replay import facts_of
from games.rules import registry

HEADER = (*tables.HEADER, "family", "match", "twin", "preset")


class Command(BaseCommand):
    help = "Print the rated units that are final and have a score, as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--family", choices=sorted(registry.games), help="only this game, such as lattaque"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        units = Unit.objects.filter(quarters__isnull=False).select_related("match")
        if options["family"]:
            units = units.filter(family=options["family"])
        out = csv.writer(self.stdout, lineterminator="\n")
        out.writerow(HEADER)
        for unit in units.order_by("family", "number").iterator():
            match = unit.match
            out.writerow([*_line(unit), unit.family, match.pk, match.twin_id or "", match.preset])


def _line(unit: Unit) -> list[str]:
    columns = {
        "number": str(unit.number),
        "finished_at": tables.instant(unit.finished_at),
        "final_at": tables.instant(unit.final_at),
        "a": f"u{unit.south_id}",
        "b": f"u{unit.north_id}",
        "score": tables.decimal((unit.quarters or 0) / 4),
        "least_turns": str(unit.least_turns),
        "how": unit.how,
        "loser_last_ply_at": tables.instant(unit.loser_last_ply_at),
        "taken_out": str(int(unit.taken_out)),
    }
    before, after = _states(unit, "before"), _states(unit, "after")
    return tables.line(columns, Rated(facts_of(unit), unit.why, before, after))


def _states(unit: Unit, when: str) -> tuple[State, State] | None:
    """Both states before or after a unit; None if it does not count."""
    if unit.why:
        return None
    return _state(unit, f"south_{when}"), _state(unit, f"north_{when}")


def _state(unit: Unit, name: str) -> State:
    parts = (getattr(unit, f"{name}{part}") for part in ("", "_deviation", "_volatility"))
    return State(*parts)
