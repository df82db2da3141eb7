"""Kills of a process at a random statement, and what its course left behind, compared.

A course is a function: it does some parts by `Kills.run`, and returns what is to be the same with
and without kills. It runs next to the service, on PostgreSQL (`Stack.shell`).
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.db import connection, connections
from django.db.models import Model

from accounts.models import User
from games.outbox.models import Dispatch

Facts = dict[str, Any]
Job = Callable[[datetime], object]

NEXT_RUN = timedelta(hours=2)  # after a kill; the leases of the killed process have expired


class Killer:
    """Kills its process before the statement of this number, or before or after that commit."""

    def __init__(self, at: int) -> None:
        self.at, self.count = at, 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.step()
        return execute(*args)

    def step(self) -> None:
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1


class Kills:
    """The kills of some courses: the first course is whole, and shows how long each part is."""

    def __init__(self, seed: int) -> None:
        self.steps: dict[str, int] = {}  # statements and commits of each part
        self.at: dict[str, int] = {}  # where the last kill of each part came
        self.count = 0
        self._random = random.Random(seed)

    def run(self, part: str, at: datetime, job: Job) -> None:
        """Do a job at an instant, in a process that is killed, and once more afterwards.

        `job` does what is left to do at the instant that it is given.
        """
        if part not in self.steps:
            self.steps[part] = _done(job, at, Killer(-1))
        else:
            self.at[part] = self._random.randrange(self.steps[part])
            self.count += _killed(job, at, self.at[part])
        job(at + NEXT_RUN)


def _done(job: Job, at: datetime, killer: Killer) -> int:
    """The number of statements and commits of a job, which the killer has counted."""
    commit = connection.commit

    def committing() -> None:
        killer.step()
        commit()
        killer.step()

    connection.commit = committing  # type: ignore[method-assign]
    try:
        with connection.execute_wrapper(killer):
            job(at)
    finally:
        del connection.commit
    return killer.count


def _killed(job: Job, at: datetime, step: int) -> bool:
    connections.close_all()
    pid = os.fork()
    if not pid:
        try:
            _done(job, at, Killer(step))
            # It had fewer statements than the one that counted them: killed at its end.
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def compare(course: Callable[[Kills], Facts], rounds: int, seed: int) -> None:
    """Print what a whole course leaves behind, and where courses with kills differ, as JSON."""
    kills = Kills(seed)
    whole = course(kills)
    wrong = []
    for _ in range(rounds):
        left = course(kills)
        if left != whole:
            differ = {name: left[name] for name in whole if left[name] != whole[name]}
            wrong.append([dict(kills.at), differ])
    outcome = {"whole": whole, "steps": kills.steps, "wrong": wrong, "kills": kills.count}
    print(json.dumps(outcome, default=str))


def empty() -> None:
    """Take away all users and what the games store, so that the next course has the same ids."""
    of_games = [each for each in apps.get_models() if each.__module__.startswith("games.")]
    models: list[type[Model]] = [User, *of_games]
    tables = ", ".join(connection.ops.quote_name(each._meta.db_table) for each in models)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")


def rows(model: type[Model], *without: str) -> list[tuple[Any, ...]]:
    """All rows of a model, sorted, without these columns and the id: a kill uses up ids."""
    left_out = {"id", *without}
    columns = [each.attname for each in model._meta.concrete_fields]
    chosen = [column for column in columns if column not in left_out]
    return sorted(model._default_manager.values_list(*chosen), key=repr)


def outbox() -> list[list[Any]]:
    """What was published for whom, with the number of rows of each; whether any waits still."""
    published: Counter[str] = Counter()
    for row in Dispatch.objects.all():
        # The entry of a ladder's log has an id of its own in every course.
        ids = {name: value for name, value in row.ref.items() if name != "change"}
        is_done = row.sent_at is not None or row.superseded_at is not None
        key = [row.event, row.handler, row.user_id, ids, is_done]
        published[json.dumps(key, sort_keys=True)] += 1
    return [[*json.loads(key), count] for key, count in sorted(published.items())]
