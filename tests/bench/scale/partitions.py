"""`python -m tests.bench.scale.partitions`: what a move costs in partitioned tables, against plain.

Plies are partitioned by match, the outbox and stored responses by user. `convert` changes the empty
tables of a migrated database; PostgreSQL wants the partition key in each unique constraint, so
those that lack it are extended. `python -m tests.on_postgres --partitioned` runs tests on it. This
is a trial: the service has no such migration.
"""

import re
import sys
from functools import partial
from typing import Any, NamedTuple

import psycopg

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.bench.meter import FULL, SHORT, compare, cpu_each, take_turns
from tests.bench.moves import EACH, send, to_send
from tests.bench.report import milliseconds, show
from tests.bench.service import Reader, Service, postgres, serving
from tests.servers import MIGRATED, Postgres

TABLES = {
    "play_ply": "match_id",
    "outbox_dispatch": "user_id",
    "outbox_storedresponse": "user_id",
    "idempotency_storedapiresponse": "user_id",
}
PARTS = 8
PARTITIONED = "partitioned"  # the name of the database

CONSTRAINTS = """
    SELECT conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f')
"""
# Those that belong to no constraint.
INDEXES = """
    SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = %s::regclass AND NOT EXISTS
    (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
"""
# The indexes of the partitions, each with the partitioned one that it is a part of.
PARTS_OF_INDEXES = """
    SELECT part.relname, whole.relname FROM pg_inherits
    JOIN pg_class part ON part.oid = inhrelid JOIN pg_class whole ON whole.oid = inhparent
    JOIN pg_index ON indexrelid = whole.oid WHERE indrelid = %s::regclass ORDER BY inhrelid
"""
NULLABLE = """
    SELECT NOT attnotnull FROM pg_attribute WHERE attrelid = %s::regclass AND attname = %s
"""
KEY = re.compile(r"(UNIQUE|PRIMARY KEY) \(([^)]*)\)")
UNIQUE_INDEX = re.compile(r"(CREATE UNIQUE INDEX .* USING btree) \(([^)]*)\)")


class Converted(NamedTuple):
    """A table that was partitioned, and how its keys had to be changed."""

    table: str
    changes: list[str]


def convert(connection: "psycopg.Connection[Any]") -> list[Converted]:
    """Partition the TABLES of a migrated database; they have to be empty."""
    return [Converted(table, _convert(connection, table, key)) for table, key in TABLES.items()]


def _convert(connection: "psycopg.Connection[Any]", table: str, key: str) -> list[str]:
    def ask(statement: str, *values: str) -> list[Any]:
        return connection.execute(statement, values).fetchall()

    def do(statement: str) -> None:
        connection.execute(statement)

    if ask(f"SELECT 1 FROM {table} LIMIT 1"):
        raise RuntimeError(f"{table} has rows; only empty tables are converted.")
    constraints, indexes = ask(CONSTRAINTS, table), [row[0] for row in ask(INDEXES, table)]
    ((is_nullable,),) = ask(NULLABLE, table, key)
    changes = []
    do(f"ALTER TABLE {table} RENAME TO {table}_plain")
    like = "INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS"
    do(f"CREATE TABLE {table} (LIKE {table}_plain {like}) PARTITION BY HASH ({key})")
    # With it go its constraints and indexes, whose names are free then.
    do(f"DROP TABLE {table}_plain")
    for number in range(PARTS):
        values = f"(MODULUS {PARTS}, REMAINDER {number})"
        do(f"CREATE TABLE {table}_{number} PARTITION OF {table} FOR VALUES WITH {values}")
    for name, kind, definition in constraints:
        wanted = definition if kind == "f" else _with_key(definition, key, is_nullable)
        do(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {wanted}')
        if wanted != definition:
            changes.append(f"{name}: {definition} -> {wanted}")
    for definition in indexes:
        wanted = _index_with_key(definition, key)
        do(wanted)
        if wanted != definition:
            changes.append(f"{definition} -> {wanted}")
    # Plans name the indexes of partitions, and tests look for the name of the whole one.
    for number, (part, whole) in enumerate(ask(PARTS_OF_INDEXES, table)):
        do(f'ALTER INDEX "{part}" RENAME TO "{whole}_{number}"')
    return changes


def _with_key(definition: str, key: str, is_nullable: bool) -> str:
    """A primary key or unique constraint, with the partition key in it.

    No column of a primary key may be null, so it becomes a unique constraint where the partition
    key may be.
    """
    parts = KEY.match(definition)
    assert parts is not None, definition
    kind, columns = parts[1], parts[2].split(", ")
    if key in columns:
        return definition
    inner = ", ".join([*columns, key])
    if not is_nullable:
        return f"{kind} ({inner})"
    return f"UNIQUE NULLS NOT DISTINCT ({inner})"


def _index_with_key(definition: str, key: str) -> str:
    parts = UNIQUE_INDEX.match(definition)
    if parts is None or key in parts[2].split(", "):
        return definition
    return definition.replace(f"({parts[2]})", f"({parts[2]}, {key})", 1)


def make(server: Postgres) -> list[Converted]:
    """A database of this server whose tables are partitioned, under the name PARTITIONED."""
    with server.connect() as connection:
        connection.execute(f"CREATE DATABASE {PARTITIONED} TEMPLATE {MIGRATED}")
    with server.connect(PARTITIONED) as connection:
        return convert(connection)


def main(arguments: list[str]) -> int:
    effort = SHORT if "--short" in arguments else FULL
    times = effort.times(150)
    matches = (effort.rounds + 1) * times // EACH + 1
    with postgres(durable=True) as server:
        for each in make(server):
            print(each.table, *each.changes, sep="\n    ")
        with serving(server) as plain, serving(server, template=PARTITIONED) as parted:
            figures = take_turns(
                {
                    "plain": _moves(plain, matches, times),
                    "partitioned": _moves(parted, matches, times),
                },
                effort.rounds,
            )
    comparison = compare(figures["partitioned"], figures["plain"])
    print(
        f"a move in partitioned tables, CPU: {milliseconds(comparison.one)}; in plain tables: "
        f"{milliseconds(comparison.other)}; {show(comparison.ratio)} x"
    )
    return 0


def _moves(service: Service, matches: int, times: int) -> Any:
    """What measures a move of this service, as P2 does."""
    made = service.prepare(matches=matches, to_come=EACH)
    players = [Reader(service.url, made["people"][seat]) for seat in ("south", "north")]
    moves = iter(to_send(made["matches"]))

    def send_next() -> None:
        send(players, *next(moves))

    return partial(cpu_each, service.everything, times, send_next)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
