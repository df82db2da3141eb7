"""Start checks: web server, worker and beat refuse to start, with a reason, if a part is missing.

Without them they would answer with errors or do damage, and the cause would be hard to find.
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

from config.environment import time_zone_data
from config.environment.version import version
from config.logs.records import LogFile

logger = logging.getLogger(__name__)


def require_ready() -> None:
    """Raise ImproperlyConfigured, with a sentence, if the service cannot run."""
    from config.keys import fingerprints
    from config.keys.key_files import require_keys
    from config.keys.prepare import restrict_umask
    from config.web.server_errors import is_full

    # In the demo, the few lines on the terminal are those to be read.
    logger.log(
        logging.DEBUG if settings.DEMO else logging.INFO,
        "Estafette %s starts. Time zones are %s.",
        version(),
        time_zone_data.description(),
    )
    require_safe_settings()
    restrict_umask()
    require_keys()
    _require_static_files()
    _require_log_file()
    try:
        connection.ensure_connection()
        _require_tables()
        fingerprints.require_known_keys()
    except DatabaseError as error:
        if is_full(error):
            # Temporary: the process starts, and works once there is space.
            logger.error("The database cannot store anything. Is the disk full?")
            return
        raise unreachable(error) from None


def unreachable(error: DatabaseError) -> ImproperlyConfigured:
    """The exception that says why the database cannot be reached."""
    # The driver's text contains host, port and user, but no password.
    reason = str(error).strip().partition("\n")[0]
    return ImproperlyConfigured(f"The database of DATABASE_URL cannot be reached: {reason}")


def unapplied(alias: str = "default") -> list[str]:
    """The migrations on disk and cache tables that the database lacks; loads no migration."""
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


def require_safe_settings() -> None:
    """Raise ImproperlyConfigured if a setting is unsafe on a public site; log warnings."""
    from config.environment import unsafe_settings

    for sentence in unsafe_settings.errors():
        raise ImproperlyConfigured(sentence)
    for sentence in unsafe_settings.warnings():
        logger.warning(sentence)


def _require_static_files() -> None:
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if settings.HASHED_STATIC and not manifest.exists():
        raise ImproperlyConfigured(
            f"HASHED_STATIC is on, but {manifest} does not exist. Run `manage.py collectstatic`."
        )


def _require_log_file() -> None:
    from config.web.server_errors import stores_nothing

    try:
        if settings.LOG_FILE:
            LogFile(str(settings.LOG_FILE)).write_nothing()
    except OSError as error:
        if not stores_nothing(error):
            raise ImproperlyConfigured(
                f"LOG_FILE names {settings.LOG_FILE}, which cannot be written: {error.strerror}."
            ) from None


def _require_tables() -> None:
    if missing := unapplied():
        raise ImproperlyConfigured(
            f"The database is not up to date: it lacks {', '.join(missing[:3])}"
            f"{' and more' if len(missing) > 3 else ''}. Run `manage.py migrate`."
        )


def _or_exit(**_: Any) -> None:
    """Exit with the sentence: Celery would only log an exception of a receiver."""
    try:
        require_ready()
    except ImproperlyConfigured as error:
        sys.exit(str(error))


def _close(**_: Any) -> None:
    connection.close()


_checks: list[Callable[..., None]] = [_or_exit, _close]
for _signal in (worker_init, beat_init):
    for _check in _checks:
        _signal.connect(_check, weak=False)
