"""What tests of every room may ask for."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.servers import Postgres, Redis, SmtpSink, missing
from tests.stack import Stack


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each of two workers begins with its half of the longest; in the end nobody waits for one."""
    long = [item for item in items if item.path.name == "test_twins.py"]
    others = [item for item in items if item not in long]
    middle = max(0, len(items) // 2 - len(long[::2]))
    items[:] = [*long[::2], *others[:middle], *long[1::2], *others[middle:]]


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
def apart(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database that connections can really share: SQLite's moves from memory to a file."""
    if connection.vendor != "sqlite" or not connection.is_in_memory_db():
        yield
        return
    connection.ensure_connection()
    memory, name = connection.connection, connection.settings_dict["NAME"]
    file = tmp_path / "database"
    copy = sqlite3.connect(file)
    memory.backup(copy)
    copy.close()
    connection.connection = None
    connection.settings_dict["NAME"] = str(file)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
        connection.connection = memory


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
