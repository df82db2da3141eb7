"""`python -m tests.lint_migrations`: refuses migrations that the running version does not survive.

While a new version starts, the old one still answers on the migrated database. So a column is
dropped or renamed one version after the last code that reads it (docs/upgrading.md). What is judged
is the SQL for PostgreSQL, whose locks matter; it is worked out without a server.
"""

import logging
import os
import sys
from collections.abc import Iterable
from typing import Any

import django
from django.apps import apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from django.db.migrations import Migration
from django.db.migrations.state import ProjectState

# By app and migration, why it may do what would be refused: the second step of a removal, mostly.
REVIEWED: dict[tuple[str, str], str] = {}

# Only warnings to the linter, whose users have small tables.
REFUSED_TOO = ("CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE", "DROP_INDEX", "REINDEX")
POSTGRESQL_VERSION = 150000
NO_SERVER: dict[str, Any] = {
    "NAME": "",
    "USER": "",
    "PASSWORD": "",
    "HOST": "",
    "PORT": "",
    "OPTIONS": {},
}
NO_SERVER |= {"TIME_ZONE": None, "CONN_MAX_AGE": 0, "AUTOCOMMIT": True, "TEST": {}}


class OfflineEditor(DatabaseSchemaEditor):
    """Collects the SQL of operations and asks no server, not even for names of constraints."""

    def execute(self, sql: Any, params: Any = ()) -> None:
        BaseDatabaseSchemaEditor.execute(self, sql, params or None)

    def _constraint_names(self, *_: Any, **__: Any) -> list[str]:
        return ["constraint_by_its_name"]


def statements(migration: Migration, before: ProjectState) -> list[str]:
    """The statements that PostgreSQL would run, without comments."""
    connection = DatabaseWrapper({**NO_SERVER, "ENGINE": "django.db.backends.postgresql"})
    connection.__dict__["pg_version"] = POSTGRESQL_VERSION
    with OfflineEditor(connection, collect_sql=True, atomic=False) as editor:
        migration.apply(before, editor, collect_sql=True)
    sql_lines: Iterable[str] = editor.collected_sql
    kept_lines = [line for line in sql_lines if not line.startswith("--")]
    return ["BEGIN;", *kept_lines, "COMMIT;"] if migration.atomic else kept_lines


def linter() -> Any:
    from django_migration_linter import MessageType, MigrationLinter

    class Linter(MigrationLinter):
        def get_sql(self, app_label: str, migration_name: str) -> list[str]:
            before = self.migration_loader.project_state((app_label, migration_name), at_end=False)
            migration = self.migration_loader.get_migration(app_label, migration_name)
            return statements(migration, before)

        def should_ignore_migration(
            self, app_label: str, migration_name: str, *given: Any, **more: Any
        ) -> bool:
            reviewed = (app_label, migration_name) in REVIEWED
            return reviewed or super().should_ignore_migration(
                app_label, migration_name, *given, **more
            )

    ours = [
        app.label
        for app in apps.get_app_configs()
        if app.name.partition(".")[0] in ("config", "accounts", "games")
    ]
    return Linter(
        str(apps.get_app_config("config").path + "/.."),
        include_apps=ours,
        no_cache=True,
        ignore_initial_migrations=True,  # no older version runs on those
        analyser_string="postgresql",
        warnings_as_errors_tests=REFUSED_TOO,
        quiet=[MessageType.OK.value, MessageType.IGNORE.value],
    )


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # It asks what SQL a migration becomes, and needs no database that is there.
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    django.setup()
    logging.getLogger("django_migration_linter").setLevel(logging.ERROR)
    migration_linter = linter()
    migration_linter.lint_all_migrations()
    if migration_linter.has_errors:
        print("These would break the version that runs while they are applied; part them in two.")
    return int(migration_linter.has_errors)


if __name__ == "__main__":
    sys.exit(main())
