"""Migrations that would break the running version are refused."""

from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django_migration_linter.sql_analyser.analyser import (
    analyse_sql_statements,
    get_sql_analyser_class,
)

from lib.database.migration_operations import AddIndexOnline
from tests import tiers
from tests.lint_migrations import REFUSED_TOO, statements

INDEX = models.Index(fields=["pace"], name="match_pace")


def problems(*operations: Operation, atomic: bool = True) -> set[str]:
    """The problems of a further migration of `play` with these operations."""
    planted: Any = Migration("9001_planted", "play")
    planted.operations, planted.atomic = list(operations), atomic
    before = MigrationLoader(None).project_state()
    sql = statements(planted, before)
    assert sql
    errors, _ignored, warnings = analyse_sql_statements(get_sql_analyser_class("postgresql"), sql)
    return {one.code for one in errors} | {one.code for one in warnings if one.code in REFUSED_TOO}


UNSAFE: dict[str, tuple[Operation, str]] = {
    "a column is removed": (migrations.RemoveField("match", "pace"), "DROP_COLUMN"),
    "a reference is removed": (migrations.RemoveField("match", "twin"), "DROP_COLUMN"),
    "a column is renamed": (migrations.RenameField("match", "pace", "control"), "RENAME_COLUMN"),
    "a table is renamed": (migrations.RenameModel("Match", "Game"), "RENAME_TABLE"),
    "a table is removed": (migrations.DeleteModel("Draft"), "DROP_TABLE"),
    "a column that old code leaves out, filled once": (
        migrations.AddField("match", "more", models.IntegerField(default=0)),
        "NOT_NULL",
    ),
    "a column that may no longer be empty": (
        migrations.AlterField("match", "opening", models.PositiveSmallIntegerField(default=0)),
        "NOT_NULL",
    ),
    "another type": (
        migrations.AlterField("match", "pace", models.IntegerField()),
        "ALTER_COLUMN",
    ),
    "a shorter text": (
        migrations.AlterField("match", "pace", models.CharField(max_length=5)),
        "ALTER_COLUMN",
    ),
    "an index that locks its table": (migrations.AddIndex("match", INDEX), "CREATE_INDEX"),
    "an index with the column": (
        migrations.AlterField("match", "pace", models.CharField(max_length=20, db_index=True)),
        "CREATE_INDEX",
    ),
    "a constraint that old rows may break": (
        migrations.AddConstraint(
            "match", models.UniqueConstraint(fields=["pace"], name="pace_once")
        ),
        "ADD_UNIQUE",
    ),
}


@pytest.mark.parametrize(
    "case",
    tiers.parameters(
        UNSAFE, fast=("a column is removed", "a column is renamed", "an index that locks its table")
    ),
)
def test_migrations_that_break_the_running_version_are_refused(case: str) -> None:
    operation, code = UNSAFE[case]
    assert code in problems(operation)


SAFE: dict[str, list[Operation]] = {
    "a column that may be empty": [
        migrations.AddField("match", "more", models.IntegerField(null=True))
    ],
    "a column that the database fills": [
        migrations.AddField("match", "more", models.IntegerField(default=0, db_default=0))
    ],
    "a table": [migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])],
    "a column is left alone that the code forgets": [
        migrations.AlterField("match", "pace", models.CharField(max_length=20, db_default="3d")),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("match", "pace")]
        ),
    ],
}


@pytest.mark.parametrize("case", tiers.parameters(SAFE, fast=("a column that the database fills",)))
def test_safe_migrations_are_accepted(case: str) -> None:
    assert not problems(*SAFE[case])


def test_an_index_is_added_while_others_write() -> None:
    assert not problems(AddIndexOnline("match", INDEX), atomic=False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_the_operation_for_that_works_on_both_databases() -> None:
    migration: Any = Migration("9001_planted", "play")
    migration.operations, migration.atomic = [AddIndexOnline("match", INDEX)], False
    before = MigrationLoader(None).project_state()

    def names() -> set[str]:
        with connection.cursor() as cursor:
            return set(connection.introspection.get_constraints(cursor, "play_match"))

    with connection.schema_editor(atomic=False) as editor:
        migration.apply(before.clone(), editor)
    assert "match_pace" in names()
    with connection.schema_editor(atomic=False) as editor:
        migration.unapply(before.clone(), editor)
    assert "match_pace" not in names()
