"""Makes backups of the running database: a consistent copy and its manifest."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import connection, connections, transaction
from django.utils import timezone

from config.backups import postgres
from config.backups.failure import BackupFailed
from config.backups.manifest import SUFFIX, Contents, Manifest, read_contents, sha256_of
from config.models import LastBackup
from games.archive.models import Film, FilmFile

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600

# Tables that are empty in backups: what they contain can be made again. Referring ones first.
NOT_KEPT = (FilmFile._meta.db_table, Film._meta.db_table)


def make(directory: Path) -> Path:
    """Make a copy in this directory and record it as LastBackup; returns its path.

    The copy is written under a temporary name, flushed to disk, then renamed. Raises BackupFailed.
    """
    begun, at = time.monotonic(), datetime.now(UTC)
    name = f"estafette-{at:%Y%m%dT%H%M%S}Z"
    suffix, write = MAKERS[connection.vendor]
    copy = directory / f"{name}{suffix}"
    draft = directory / f".{name}.part"
    try:
        directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
        if copy.exists():
            raise BackupFailed(f"{copy} already exists.")
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
        database, contents = write(draft)
        _flush(draft)
        manifest = Manifest(
            made_at=at.isoformat(timespec="seconds"),
            database=database,
            file=copy.name,
            bytes=draft.stat().st_size,
            sha256=sha256_of(draft),
            contents=contents,
        )
        manifest_path = copy.with_suffix(SUFFIX)
        manifest_path.touch(FILE_MODE)
        manifest.write(manifest_path)
        _flush(manifest_path)
        draft.rename(copy)
        _flush(directory)
    except OSError as error:
        raise BackupFailed(f"{error.filename or directory}: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            draft.unlink()
    LastBackup.objects.update_or_create(
        pk=1,
        defaults={
            "made_at": timezone.now(),
            "bytes": manifest.bytes,
            "seconds": round(time.monotonic() - begun, 1),
        },
    )
    return copy


def _flush(path: Path) -> None:
    with closing_descriptor(path) as descriptor:
        os.fsync(descriptor)


@contextmanager
def closing_descriptor(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _sqlite(draft: Path) -> tuple[str, Contents]:
    """Copy with SQLite's backup API, in one step so it is one snapshot; writers do not wait."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(draft)) as copy:
            connection.connection.backup(copy)
            for table in NOT_KEPT:
                emptied = copy.execute(f"DELETE FROM {table}").rowcount  # noqa: S608
                copy.commit()
                if emptied:
                    copy.execute("VACUUM")
            # In WAL mode, opening the copy would create two more files.
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupFailed(f"SQLite could not be copied: {error}.") from None
    with opened(draft) as alias:
        return f"sqlite {sqlite3.sqlite_version}", read_contents(alias)


def _postgresql(draft: Path) -> tuple[str, Contents]:
    """Copy with pg_dump, from the same snapshot that the manifest counts."""
    major, version = postgres.server_version()
    program = postgres.find("pg_dump", major)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        options = ["--format=custom", "--no-owner", "--no-privileges"]
        options += [f"--snapshot={snapshot}", f"--file={draft}"]
        options += [f"--exclude-table-data={table}" for table in NOT_KEPT]
        postgres.run(program, options, connection.settings_dict)
        contents = read_contents("default")
        return version, replace(contents, rows={**contents.rows, **dict.fromkeys(NOT_KEPT, 0)})


MAKERS: dict[str, Any] = {
    "sqlite": (".sqlite3", _sqlite),
    "postgresql": (".dump", _postgresql),
}


@contextmanager
def opened(path: Path) -> Iterator[str]:
    """Open a SQLite copy read-only as one of Django's databases; yields its alias."""
    # `immutable`: SQLite creates no other files.
    name = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with database({"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": {}}) as alias:
        yield alias


@contextmanager
def database(settings: dict[str, Any]) -> Iterator[str]:
    """Add a database to Django's connections; yields its alias."""
    alias = "backup"
    connections.settings[alias] = {**connections.settings["default"], **settings}
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.settings[alias]
