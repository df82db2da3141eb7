"""`manage.py measure_due`: CPU seconds for due work among many matches, as JSON.

Everything is done for real and then rolled back, so it is due again the next time.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from games.outbox.delivery import dispatcher
from games.play.commands import deadlines
from tests.bench.floor import DUE
from tests.bench.floor.backend import cpu_with_database

CLAIMS = 20


class Command(BaseCommand):
    def handle(self, *args: Any, **options: Any) -> None:
        tasks: dict[str, tuple[int, Callable[[], int]]] = {
            "deadlines and reminders": (1, lambda: deadlines.sweep().total() // 2),
            "outbox": (CLAIMS, lambda: len(dispatcher.claim())),
        }
        for task in tasks.values():
            undone(*task)
        used = {name: cpu_with_database(partial(undone, *task)) for name, task in tasks.items()}
        self.stdout.write(json.dumps(used))


def undone(times: int, task: Callable[[], int]) -> None:
    for _ in range(times):
        with transaction.atomic():
            done = task()
            transaction.set_rollback(True)
        assert done == DUE, f"{done} of {DUE} were due."
