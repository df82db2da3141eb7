"""The backend for PostgreSQL: what it asks of an idle connection, and how it reads instants."""

import select
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import adapters
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Format

from lib.database.postgresql.base import DatabaseWrapper
from tests.servers import Postgres

pytestmark = pytest.mark.servers

TIMESTAMPTZ = adapters.types["timestamptz"].oid
LAST_ASKED = "SELECT query FROM pg_stat_activity WHERE pid = %s"
INSTANTS = [
    "2026-11-27 10:31:05.000004+00",
    "1909-06-27 23:59:59.5+00",
    "2026-07-01 12:00:00+00",
    "0001-01-01 00:00:00+00",
]


@pytest.fixture
def connection(postgres: Postgres, django_db_blocker: Any) -> Iterator[DatabaseWrapper]:
    """An open connection of the service's kind, on which a statement has been run."""
    place = conninfo_to_dict(postgres.url("postgres"))
    given = {
        "ENGINE": "lib.database.postgresql",
        "NAME": place["dbname"],
        "USER": place["user"],
        "HOST": place["host"],
        "PORT": place["port"],
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }
    complete: Any = connections.configure_settings({"default": {}, "checked": given})
    made = DatabaseWrapper(complete["checked"], "checked")
    with django_db_blocker.unblock():
        assert ask(made, "SELECT 42") == 42
        yield made
        made.close()


def ask(connection: BaseDatabaseWrapper, statement: str, *values: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0]


def backend(connection: DatabaseWrapper) -> int:
    pid: int = connection.connection.info.backend_pid
    return pid


def begin_a_request(connection: DatabaseWrapper) -> None:
    """What Django does at its start."""
    connection.close_if_unusable_or_obsolete()
    connection.ensure_connection()
    connection.close_if_health_check_failed()


def last_asked(postgres: Postgres, pid: int) -> str:
    with postgres.connect() as other:
        row: Any = other.execute(LAST_ASKED, [pid]).fetchone()
    return str(row[0])


def test_an_idle_connection_is_asked_nothing(
    postgres: Postgres, connection: DatabaseWrapper
) -> None:
    pid = backend(connection)
    begin_a_request(connection)
    assert last_asked(postgres, pid) == "SELECT 42"
    assert backend(connection) == pid


def test_a_connection_that_the_server_has_ended_is_replaced(
    postgres: Postgres, connection: DatabaseWrapper
) -> None:
    pid = backend(connection)
    with postgres.connect() as other:
        # It waits until the connection has ended.
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [pid])
    begin_a_request(connection)
    assert ask(connection, "SELECT pg_backend_pid()") != pid


def test_a_connection_with_a_message_is_asked_and_kept(
    postgres: Postgres, connection: DatabaseWrapper
) -> None:
    pid = backend(connection)
    connection.connection.execute("LISTEN news")
    with postgres.connect() as other:
        other.execute("NOTIFY news")
    assert select.select([connection.connection.fileno()], [], [], 60)[0]
    begin_a_request(connection)
    assert last_asked(postgres, pid) == "SELECT 1"
    assert ask(connection, "SELECT pg_backend_pid()") == pid


def test_a_connection_in_a_failed_transaction_is_not_usable(connection: DatabaseWrapper) -> None:
    with connection.connection.cursor() as cursor:
        cursor.execute("BEGIN")
        with pytest.raises(Exception, match="division by zero"):
            cursor.execute("SELECT 1 / 0")
    assert not connection.is_usable()


@pytest.mark.parametrize("text", INSTANTS)
def test_instants_are_read_as_django_reads_them(connection: DatabaseWrapper, text: str) -> None:
    read = ask(connection, "SELECT %s::timestamptz", text)
    assert read == datetime.fromisoformat(text)
    assert read.tzinfo is UTC
    assert ask(connection, "SELECT NULL::timestamptz") is None


def test_instants_are_read_by_the_loader_of_psycopg(connection: DatabaseWrapper) -> None:
    cursor: Any = connection.cursor()
    with cursor:
        cursor.execute("SELECT now()")
        loader = cursor.cursor._tx.get_loader(TIMESTAMPTZ, Format.TEXT)
    own: Any = adapters.get_loader(TIMESTAMPTZ, Format.TEXT)
    assert type(loader) is own
