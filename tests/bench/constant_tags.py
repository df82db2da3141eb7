"""Time that config/web/constant_tags.py saves: a match page with and without it, alternating.

    python -m tests.bench.constant_tags

The page of a running match of the demo is asked for, on SQLite in this process; what counts is the
processor time spent in its templates.
"""

import copy
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from statistics import median
from typing import Any

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.

ROUNDS = 9
PAGES = 100  # of each kind, in each round


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DEMO"] = "true"
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User
    from config.management.commands.demo import PLAYERS
    from games.play.models.match import Match, Status

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("demo", stdout=StringIO())
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=PLAYERS[0]))
    lattaque = Match.objects.filter(status=Status.RUNNING, preset="lattaque-en")
    match = lattaque.filter(players__user__username=PLAYERS[0]).order_by("-ply").first()
    assert match is not None
    address = match.get_absolute_url()

    def get() -> None:
        assert client.get(address).status_code == 200

    kinds = {"with": _engine(plain=False), "without": _engine(plain=True)}
    milliseconds_by_kind: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(ROUNDS + 1):
        for name, engine in kinds.items():
            milliseconds = _rendering(engine, get)
            if turn:  # the first round warms up
                milliseconds_by_kind[name].append(milliseconds)
    with_it, without = median(milliseconds_by_kind["with"]), median(milliseconds_by_kind["without"])
    ratio = median(b / a for a, b in zip(*milliseconds_by_kind.values(), strict=True))
    print(
        f"templates of a match page: {with_it:.2f} ms with, {without:.2f} ms without: {ratio:.2f} x"
    )


def _engine(*, plain: bool) -> Any:
    from django.conf import settings
    from django.template.backends.django import DjangoTemplates

    params: dict[str, Any] = {"NAME": "django", **copy.deepcopy(settings.TEMPLATES[0])}
    del params["BACKEND"]
    if plain:
        options = params["OPTIONS"]
        names = {"config.web.constant_tags": "tests.bench.plain_tags"}
        options["builtins"] = [names.get(name, name) for name in options["builtins"]]
        # Django's own, which stand first among those that are found.
        del options["libraries"]
    return DjangoTemplates(params)


def _rendering(engine: Any, get: Callable[[], None]) -> float:
    """Milliseconds of processor time a page that its templates took."""
    from django.template import engines

    engines._engines = {"django": engine}  # type: ignore[attr-defined]
    engines.__dict__["templates"] = {"django": {"APP_DIRS": False}}
    with _timed() as spent:
        for _ in range(PAGES):
            get()
    return sum(spent) * 1000 / PAGES


@contextmanager
def _timed() -> Iterator[list[float]]:
    from django.template import loader

    spent: list[float] = []
    original = loader.render_to_string

    def timed(*args: Any, **named: Any) -> str:
        begun = time.thread_time()
        try:
            return original(*args, **named)
        finally:
            spent.append(time.thread_time() - begun)

    loader.render_to_string = timed  # type: ignore[assignment]
    try:
        yield spent
    finally:
        loader.render_to_string = original


if __name__ == "__main__":
    main()
