"""Fixtures for the tests of every room."""

import atexit
import gc
import math
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection
from django.test import Client, TransactionTestCase
from pytest_django import DjangoDbBlocker

from accounts.models import User
from config.models import SiteSettings
from config.web import site_settings
from games.mail.reading.child import client
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.pasted import reader
from games.play.pictures import small_boards
from games.watch import live_board
from lib.db_clock import now
from tests.databases import copy_for_tests
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.servers import Postgres, Redis, SmtpSink, chromium_path, missing
from tests.stack import Stack

# It runs as long as this process, and a process that is left running is a warning.
atexit.register(client.stop)
atexit.register(reader.stop)

# In the pass of units, and in that of the servers.
LONGEST = {"test_twins.py", "test_simulation.py", "test_a_whole_match.py", "test_worker.py"}

# What migrations write once their tables are there; no test that commits changes it.
KEPT = {"django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}

# No test fails for the time that it takes: the machine may be busy with others.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")

# Fixtures with which a test commits what it writes.
COMMITTING = {"transactional_db", "apart"}


def pytest_configure() -> None:
    """Settings and a collector of garbage for thousands of tests in one process."""
    # Each client would list all static files.
    settings.WHITENOISE_AUTOREFRESH = True
    # Those of the service are slow on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    setattr(TransactionTestCase, "_fixture_teardown", empty_tables)  # noqa: B010 - mypy forbids it.
    # All that is imported for tests stays: to look for garbage in it takes a sixth of the time that
    # collecting the tests takes.
    gc.disable()


def empty_tables(_: TransactionTestCase) -> None:
    """Empty the tables after a test that commits.

    Django would empty those of permissions too, and write these again, which takes longer than most
    of such tests.
    """
    ours = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = {*ours} - KEPT
    flush = connection.ops.sql_flush(no_style(), sorted(tables))
    connection.ops.execute_sql_flush(flush)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files that name none of the requested marks."""
    marks = re.findall(r"\w+", config.option.markexpr)
    if marks[:1] not in (["servers"], ["postgresql"]) or not collection_path.match("test_*.py"):
        return None
    named = re.findall(r"\bpytest\.mark\.(\w+)", collection_path.read_text())
    return not {marks[0], "postgresql_soak"}.intersection(marks, named) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, half of them on each of two workers, so that neither waits."""
    long = [item for item in items if item.path.name in LONGEST]
    others = [item for item in items if item not in long]
    middle = max(0, len(items) // 2 - len(long[::2]))
    items[:] = [*long[::2], *others[:middle], *long[1::2], *others[middle:]]


def pytest_collection_finish() -> None:
    """Free garbage from here on, and look for it only in what tests make."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """What is left ends with the process; pytest would search it five times for garbage."""
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Just before pytest-django makes the test database: it is copied instead."""
    copy_for_tests(connection)


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
    """A database that connections can share: with SQLite, a file instead of memory."""
    database: Any = connection
    if connection.vendor != "sqlite" or not database.is_in_memory_db():
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


def commits(item: pytest.Item) -> bool:
    """Whether what the test writes is committed, and not rolled back with it."""
    database = item.get_closest_marker("django_db")
    if database and database.kwargs.get("transaction"):
        return True
    return not COMMITTING.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(autouse=True)
def counters_go_with_their_test(
    request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Empty the cache after a test that commits: Django empties the tables of models alone."""
    yield
    if commits(request.node):
        with django_db_blocker.unblock():
            cache.clear()


@pytest.fixture(autouse=True)
def no_board_is_remembered() -> None:
    """Clear cached boards: the matches of the next test have the same numbers."""
    small_boards.small_board.cache_clear()
    live_board.forget()


@pytest.fixture(autouse=True)
def default_site_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages read the settings of the site now and then; here that changes no count of queries."""
    monkeypatch.setattr(site_settings, "_last", site_settings._Read(SiteSettings(), math.inf))


@pytest.fixture
def who(db: None) -> People:
    """Alice sits South, Bob North, Charlie has no seat."""
    return match_helpers.people()


@pytest.fixture
def alice(who: People) -> User:
    return who.alice


@pytest.fixture
def bob(who: People) -> User:
    return who.bob


@pytest.fixture
def charlie(who: People) -> User:
    return who.charlie


@pytest.fixture
def alice_client(alice: User) -> Client:
    """Alice's browser."""
    return client_of(alice)


@pytest.fixture
def bob_client(bob: User) -> Client:
    """Bob's browser."""
    return client_of(bob)


@pytest.fixture
def match(who: People) -> Match:
    """Both set-ups are done, and Alice is to move; the outbox is empty."""
    match = match_helpers.running_match(who)
    # As if it had gone out: to write the e-mails takes as long as all that is above.
    Dispatch.objects.update(sent_at=now())
    return match


@pytest.fixture
def smtp_sink() -> Iterator[SmtpSink]:
    sink = SmtpSink()
    sink.start()
    yield sink
    sink.stop()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a browser that tests may drive."""
    path = chromium_path()
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
