"""What tests of every room may ask for."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.servers import Postgres, Redis, SmtpSink, missing
from tests.stack import Stack


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL; `postgres.create("chaos")` is the URL of a new database."""
    if Postgres.programs() is None:
        missing("There is no PostgreSQL on this machine; Debian's package is postgresql.")
    server = Postgres()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    if shutil.which("redis-server") is None:
        missing("There is no Redis on this machine; Debian's package is redis-server.")
    server = Redis()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    sink = SmtpSink()
    sink.start()
    yield sink
    sink.stop()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a browser that tests may drive."""
    paths = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    path = next(filter(None, paths), None)
    if path is None:
        missing("There is no Chromium on this machine; Debian's package is chromium.")
    return path


@pytest.fixture
def stack() -> Iterator[Callable[..., Stack]]:
    """Starts real stacks: `stack(web=0, workers=2)`; all are gone with the test."""
    with ExitStack() as running:

        def start(**options: Any) -> Stack:
            return running.enter_context(Stack(**options))

        yield start
