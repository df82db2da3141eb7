"""Checks before web server, worker and beat start: what is missing is told in a sentence.

What starts without them would answer errors, or do harm, and nobody would know why.
"""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from celery.signals import beat_init, worker_init
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.db.utils import DatabaseError

from config.logs.records import LogFile

logger = logging.getLogger(__name__)


def insist() -> None:
    """Raise ImproperlyConfigured, with a sentence, if the service cannot run as it is."""
    from config.keys import fingerprints
    from config.keys.key_files import insist_on_keys
    from config.keys.prepare import keep_to_ourselves
    from config.web.server_errors import is_full

    insist_on_safe_settings()
    keep_to_ourselves()
    insist_on_keys()
    _insist_on_static_files()
    _insist_on_log_file()
    try:
        connection.ensure_connection()
        _insist_on_tables()
        fingerprints.insist()
    except DatabaseError as error:
        if is_full(error):
            # That passes, and whoever starts now goes on by itself then.
            logger.error("The database can store nothing: is the disk full?")
            return
        raise unreachable(error) from None


def unreachable(error: DatabaseError) -> ImproperlyConfigured:
    """The sentence that says why the database cannot be reached."""
    # The driver's text names host, port and user, and no password.
    reason = str(error).strip().partition("\n")[0]
    return ImproperlyConfigured(f"The database of DATABASE_URL cannot be reached: {reason}")


def unapplied(alias: str = "default") -> list[str]:
    """The migrations on disk that the database lacks, found out without loading any of them."""
    database = connections[alias]
    tables = database.introspection.table_names()
    applied: set[tuple[str, str]] = set()
    if "django_migrations" in tables:
        with database.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            applied = set(cursor.fetchall())
    on_disk = {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in (Path(app.path) / "migrations").glob("[!_]*.py")
    }
    caches = [
        cache["LOCATION"]
        for cache in settings.CACHES.values()
        if cache["BACKEND"].endswith("DatabaseCache")
    ]
    return [f"{app}.{name}" for app, name in sorted(on_disk - applied)] + [
        f"the table {table}" for table in caches if table not in tables
    ]


def insist_on_safe_settings() -> None:
    """Raise ImproperlyConfigured where a setting is unsafe on a site that others reach."""
    from config.environment import unsafe_settings

    for sentence in unsafe_settings.errors():
        raise ImproperlyConfigured(sentence)
    for sentence in unsafe_settings.warnings():
        logger.warning(sentence)


def _insist_on_static_files() -> None:
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if settings.HASHED_STATIC and not manifest.exists():
        raise ImproperlyConfigured(
            f"HASHED_STATIC is on, and there is no {manifest}. `manage.py collectstatic` makes it."
        )


def _insist_on_log_file() -> None:
    from config.web.server_errors import stores_nothing

    try:
        if settings.LOG_FILE:
            LogFile(str(settings.LOG_FILE)).write_nothing()
    except OSError as error:
        if not stores_nothing(error):
            raise ImproperlyConfigured(
                f"LOG_FILE names {settings.LOG_FILE}, which cannot be written: {error.strerror}."
            ) from None


def _insist_on_tables() -> None:
    if missing := unapplied():
        raise ImproperlyConfigured(
            f"The database is not up to date: it lacks {', '.join(missing[:3])}"
            f"{' and more' if len(missing) > 3 else ''}. `manage.py migrate` mends that."
        )


def _or_end(**_: Any) -> None:
    """For Celery, which logs what a receiver raises and goes on."""
    try:
        insist()
    except ImproperlyConfigured as error:
        sys.exit(str(error))


def _close(**_: Any) -> None:
    connection.close()


_checks: list[Callable[..., None]] = [_or_end, _close]
for _signal in (worker_init, beat_init):
    for _check in _checks:
        _signal.connect(_check, weak=False)
