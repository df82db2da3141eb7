"""`manage.py measure_world`: CPU seconds of each act of `make scale`, as JSON.

`--make-due` lets some work be due first, and measures nothing. `--plans` tells how PostgreSQL finds
the rows instead.
"""

import json
from typing import Any

from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandParser

from tests.bench.floor.backend import cpu_with_database
from tests.bench.scale import measured, plans

WARM_UP = 6  # the driver prepares a statement that it has seen five times


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--times", type=int, default=20)
        parser.add_argument("--make-due", action="store_true")
        parser.add_argument("--plans", action="store_true")
        parser.add_argument("--only", default="")

    def handle(
        self, *args: Any, times: int, make_due: bool, plans: bool, only: str, **options: Any
    ) -> None:
        if make_due:
            measured.make_due()
            return
        acts = {name: act for name, act in measured.Measured().acts() if only in name}
        figures = _plans(acts) if plans else {name: _cpu(act, times) for name, act in acts.items()}
        self.stdout.write(json.dumps(figures))


def _cpu(act: Any, times: int) -> float:
    # One address asks for everything, and the limits of requests count in the cache.
    cache.clear()
    for _ in range(WARM_UP):
        act()
    return cpu_with_database(lambda: [act() for _ in range(times)]) / times


def _plans(acts: dict[str, Any]) -> dict[str, Any]:
    with plans.seen() as of:
        plans_by_act = {name: of(act) for name, act in acts.items()}
    return {
        name: {
            "indexes": sorted(each.indexes),
            "whole": sorted(each.whole_tables),
            "large": each.large,
        }
        for name, each in plans_by_act.items()
    }
