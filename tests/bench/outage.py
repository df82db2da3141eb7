"""`python -m tests.bench.outage [--clocks 50000] [--postgres]`: how long an outage takes to credit.

On a database of its own, by one worker at rest, as the schedule would: in runs of a minute.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from tests import environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.databases import copy_sqlite
from tests.servers import Postgres

PLAYERS = 2000
BATCH_ROWS = 1000
RESTS = ("", "56 22-8 Europe/Paris", "- 23-7 America/New_York", "6 - Asia/Taipei")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.outage", description=__doc__)
    parser.add_argument("--clocks", type=int, default=50_000)
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with postgres() if given.postgres else sqlite() as url:
        os.environ.update(
            DATABASE_URL=url, DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="CRITICAL"
        )
        import django

        django.setup()
        make_clocks(given.clocks)
        measure()
    return 0


def measure() -> None:
    from games.outbox.models import Dispatch
    from games.play.clocks import settlement
    from games.play.models.time import Outage

    begun, changed = time.monotonic(), 0
    while Outage.objects.filter(credited_at=None).exists():
        changed += settlement.settle()
    seconds = time.monotonic() - begun
    count = Dispatch.objects.filter(event="clock-credited").count()
    print(f"{changed} clocks in {seconds:.1f} s, {changed / seconds:.0f} a second; {count} told.")


def make_clocks(clocks: int) -> None:
    """Running matches of PLAYERS with days off, nights and vacations; an outage of two hours."""
    from accounts.models import User
    from games.play.models.match import Match, Player, Status
    from games.play.models.time import Outage, Vacation
    from lib.db_clock import now

    at = now()
    names = [f"player{number}" for number in range(PLAYERS)]
    users = User.objects.bulk_create(
        User(
            username=name,
            handle_key=name,
            email=f"{name}@example.org",
            rest=RESTS[number % len(RESTS)],
            away_until=at + 9 * DAY if number % 10 == 0 else None,
        )
        for number, name in enumerate(names)
    )
    Vacation.objects.bulk_create(
        Vacation(user=user, start=at + DAY, end=at + 9 * DAY, planned=True)
        for user in users
        if user.away_until
    )
    for numbers in chunks(range(clocks)):
        matches = Match.objects.bulk_create(
            Match(
                preset="lattaque-en",
                pace="3d",
                setup_pace="3d",
                status=Status.RUNNING,
                ply=2,
                opening=2,
                vacations=number % 2 == 0,
                created_at=at - 2 * DAY,
            )
            for number in numbers
        )
        Player.objects.bulk_create(
            Player(
                match=match,
                user=users[(number * 7 + seat) % PLAYERS],
                seat=seat,
                to_act=seat == number % 2,
                bank=3 * DAY,
                **(clock(at - number % 47 * HOUR) if seat == number % 2 else {}),
            )
            for number, match in zip(numbers, matches, strict=True)
            for seat in (0, 1)
        )
    Outage.objects.create(start=at - 2 * HOUR, end=at)


def clock(since: datetime) -> dict[str, datetime]:
    """Of a clock of three days that runs since then."""
    return {"since": since, "deadline": since + 3 * DAY, "check_at": since + 1.5 * DAY}


def chunks(numbers: range) -> Iterator[range]:
    for first in range(0, len(numbers), BATCH_ROWS):
        yield numbers[first : first + BATCH_ROWS]


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="estafette-outage-") as folder:
        copy_sqlite(Path(folder) / "database")
        yield f"sqlite:///{folder}/database"


@contextmanager
def postgres() -> Iterator[str]:
    server = Postgres(durable=True)
    server.start()
    try:
        yield server.create("outage")
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
