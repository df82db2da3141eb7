"""Injected faults: each nemesis breaks something, and repairs it before it returns."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import redis

from tests.servers import Postgres, Redis, SmtpSink
from tests.stack import Stack


class Parts(NamedTuple):
    """All parts that can be broken. `disk`: the small disk of the database, if it has one."""

    service: Stack
    postgres: Postgres
    redis: Redis
    sink: SmtpSink
    disk: Path | None


Nemesis = Callable[[Parts, random.Random], None]
MOODS = ("busy", "cut", "slow", "away")


def kill(kind: str, count: int = 2) -> Nemesis:
    """kill -9 of one of the processes of a kind."""

    def harm(parts: Parts, rng: random.Random) -> None:
        parts.service.restart(f"{kind}{rng.randint(1, count)}")

    return harm


def stop(kind: str, count: int = 2) -> Nemesis:
    """SIGSTOP of a process for some seconds: it lives, but does not respond."""

    def harm(parts: Parts, rng: random.Random) -> None:
        group = parts.service.pid(f"{kind}{rng.randint(1, count)}")
        os.killpg(group, signal.SIGSTOP)
        time.sleep(rng.uniform(1, 5))
        os.killpg(group, signal.SIGCONT)

    return harm


def kill_database(parts: Parts, rng: random.Random) -> None:
    parts.postgres.kill()
    time.sleep(rng.uniform(0, 2))
    parts.postgres.start()


def kill_broker(parts: Parts, rng: random.Random) -> None:
    parts.redis.kill()
    time.sleep(rng.uniform(0, 5))
    parts.redis.start()


def empty_broker(parts: Parts, _rng: random.Random) -> None:
    with suppress(redis.ConnectionError):
        parts.redis.client().flushall()


def spoil_mail(parts: Parts, rng: random.Random) -> None:
    """A mail server that is busy, disconnects after DATA, is very slow, or is down."""
    mood = rng.choice(MOODS)
    sink = parts.sink
    if mood == "away":
        sink.stop()
    elif mood == "slow":
        sink.delay = 1.0
    else:
        sink.mood = mood
    time.sleep(rng.uniform(2, 6))
    sink.mood, sink.delay = "accept", 0.0
    if mood == "away":
        sink.start()


def fill_disk(parts: Parts, rng: random.Random) -> None:
    """Fill the database's disk for some seconds; the database may crash."""
    assert parts.disk is not None
    filler = parts.disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))
    time.sleep(rng.uniform(2, 5))
    filler.unlink()
    if not parts.postgres.is_alive():
        parts.postgres.start()


NEMESES: dict[str, Nemesis] = {
    "kill web": kill("web"),
    "kill worker": kill("worker"),
    "kill beat": kill("beat"),
    "kill listener": kill("mail", 1),
    "stop web": stop("web"),
    "stop worker": stop("worker"),
    "stop beat": stop("beat"),
    "stop listener": stop("mail", 1),
    "kill database": kill_database,
    "kill broker": kill_broker,
    "empty broker": empty_broker,
    "spoil mail": spoil_mail,
    "fill disk": fill_disk,
}


def unleash(
    parts: Parts,
    rng: random.Random,
    enough: Callable[[Counter[str]], bool],
    tell: Callable[[str], None],
) -> Counter[str]:
    """Break and repair one thing after the other until time is up; returns counts by kind.

    Each kind runs once before any runs twice.
    """
    done: Counter[str] = Counter()
    names: list[str] = []
    while not enough(done):
        if not names:
            names = [name for name in NEMESES if parts.disk or name != "fill disk"]
            rng.shuffle(names)
        name = names.pop()
        tell(name)
        parts.service.revive()
        NEMESES[name](parts, rng)
        done[name] += 1
        time.sleep(rng.uniform(0.2, 1.5))
    return done


def kills(done: Counter[str]) -> int:
    return sum(count for name, count in done.items() if name.startswith("kill "))
