"""A full disk is reported as such, instead of "too many attempts" or a general error."""

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client

from accounts.models import User
from config.web.server_errors import answers_nothing, stores_nothing
from games.play.models.match import Match
from tests.play import forms, match_helpers

WORDS = "The server cannot save anything at the moment."


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def full(apart: None) -> Iterator[Callable[[], None]]:
    """Fills the database: it gets no more pages, and its own are full."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's disk is filled by tests.chaos")

    def fill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA page_count")
            (pages,) = cursor.fetchone()
            cursor.execute(f"PRAGMA max_page_count = {pages + 2}")
            for size in (4000, 400, 40, 1):
                with pytest.raises(DatabaseError, match="full"):
                    for number in range(10_000):
                        cursor.execute(
                            "INSERT INTO cache VALUES (%s, %s, '2999-01-01')",
                            [f"{size}/{number}", "x" * size],
                        )

    yield fill
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account/login/", {"login": "Alice", "password": "wrong"}),
        ("/account/login/code/", {"email": "alice@example.org"}),
        ("/account/password/reset/", {"email": "alice@example.org"}),
        (
            "/account/signup/",
            {
                "email": "murat@example.org",
                "username": "Murat",
                "password1": "troop of foxes",
                "telephone": "",
            },
        ),
    ],
)
def test_a_visitor_gets_a_page_about_the_full_disk(
    client: Client, full: Callable[[], None], path: str, fields: dict[str, str]
) -> None:
    match_helpers.person("Alice")
    full()
    answer = client.post(path, fields)
    assert answer.status_code == 503
    assert WORDS in answer.content.decode()
    assert answer["Retry-After"] == "300" and "no-store" in answer["Cache-Control"]


def test_a_player_gets_a_page_about_the_full_disk(
    alice: User, match: Match, client: Client
) -> None:
    client.force_login(alice)
    key = forms.page(client, match)
    assert key
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
    try:
        answer = client.post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": match.ply})
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = 0")
    assert answer.status_code == 503 and WORDS in answer.content.decode()
    assert match_helpers.as_is(match).ply == match.ply


def test_a_cache_that_cannot_store_anything_raises(full: Callable[[], None]) -> None:
    full()
    for store in (cache.set, cache.add):
        with pytest.raises(DatabaseError, match="full"):
            store("key", "x" * 5000)


@pytest.mark.django_db
def test_a_cache_with_an_existing_key_reports_only_that() -> None:
    assert cache.add("key", 1) and not cache.add("key", 2)
    assert cache.get("key") == 1
    assert not cache.touch("other")


@pytest.mark.django_db
def test_any_other_failure_is_a_500(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("config.web.server_errors.loader.render_to_string", fail)
    monkeypatch.setattr("games.play.views.home.render", fail)
    assert client.get("/").status_code == 500


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (psycopg.errors.DiskFull(), True),
        (psycopg.errors.ReadOnlySqlTransaction(), True),
        (psycopg.errors.UniqueViolation(), False),
        (OSError(errno.ENOSPC, ""), True),
        (OSError(errno.ECONNRESET, ""), False),
        (sqlite3.OperationalError("database is locked"), False),
        (ValueError(), False),
    ],
)
def test_errors_of_a_full_disk_are_recognized(error: Exception, expected: bool) -> None:
    assert stores_nothing(error) is expected


def test_a_locked_database_counts_as_away_and_a_wrong_query_does_not(tmp_path: Path) -> None:
    file = tmp_path / "database"
    with (
        closing(sqlite3.connect(file)) as writer,
        closing(sqlite3.connect(file, timeout=0)) as other,
    ):
        writer.execute("CREATE TABLE place (name)")
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as locked:
            other.execute("INSERT INTO place VALUES (1)")
        with pytest.raises(sqlite3.OperationalError) as wrong:
            other.execute("SELECT * FROM nowhere")
    assert answers_nothing(locked.value) and not answers_nothing(wrong.value)
    assert answers_nothing(psycopg.OperationalError())
    assert not answers_nothing(psycopg.errors.UndefinedTable())
