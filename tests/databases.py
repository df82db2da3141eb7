"""Migrated databases: made once for each run of the tests, and copied for each test that needs one.

What a run makes is in its own folder and is deleted with it, so no change of a migration or a
model can meet a database that is older.
"""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from tests import preloaded
from tests.environment import SHARED

# One interpreter for both: each takes its time to start.
TABLES = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable")
"""


def once(name: str, make: Callable[[Path], None]) -> Path:
    """The file of this name in the run's folder, made by the first process."""
    made, draft = SHARED / name, SHARED / f"{name}.draft"
    with (SHARED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(draft)
            draft.rename(made)
    return made


def migrate(url: str) -> None:
    """Give the database all tables, by the service's own migrations."""
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = preloaded.run(["manage.py", "shell", "--no-imports", "-c", TABLES], environment)
    if done.returncode:
        raise RuntimeError(f"The migrations failed:\n{done.stderr}")


def copy_sqlite(place: Path) -> None:
    """Put a migrated SQLite database there."""
    # Nobody has it open, so that all of it is in the one file.
    shutil.copyfile(once("migrated.sqlite3", lambda file: migrate(f"sqlite:///{file}")), place)


def copy_for_tests(connection: BaseDatabaseWrapper) -> None:
    """From here on Django's test database is a copy, where there is something to copy from.

    On PostgreSQL that is the database that TESTS_TEMPLATE names (on_postgres.py).
    """
    creation: Any = connection.creation
    template = os.environ.get("TESTS_TEMPLATE")

    def create_test_db(*_: object, **__: object) -> str:
        name: str = creation._get_test_db_name()
        if connection.vendor != "sqlite":
            connection.settings_dict["TEST"]["TEMPLATE"] = template
            creation._create_test_db(verbosity=0, autoclobber=True)
        connection.close()
        settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
        connection.ensure_connection()
        if connection.vendor == "sqlite":
            place = SHARED / f"{os.getpid()}.sqlite3"
            copy_sqlite(place)
            source = sqlite3.connect(place)
            source.backup(connection.connection)
            source.close()
            place.unlink()
        return name

    if connection.vendor == "sqlite" or template:
        creation.create_test_db = create_test_db
