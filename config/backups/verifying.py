"""Verifies a backup: compares it with its manifest, then opens it and checks its matches."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from config.backups import making, postgres
from config.backups.failure import BackupFailed
from config.backups.manifest import Manifest, NoManifest, differences, read_contents, sha256_of
from config.keys import fingerprints
from config.models import LastBackup
from config.processes import start_check
from games.play.record.verification import Inspection

SQLITE_HEADER, DUMP_HEADER = b"SQLite format 3\0", b"PGDMP"


@dataclass
class Report:
    """How much was checked, and what is wrong, a sentence each."""

    matches: int = 0
    plies: int = 0
    faults: list[str] = field(default_factory=list)


def verify(copy: Path, *, scratch: str, everything: bool = False) -> Report:
    """Verify a copy; raises BackupFailed if it cannot be opened at all."""
    report = Report()
    try:
        manifest = Manifest.read(copy)
        if copy.stat().st_size != manifest.bytes or sha256_of(copy) != manifest.sha256:
            raise BackupFailed(
                f"{copy} is not the file that its manifest describes: it was cut off or changed."
            )
        with copy.open("rb") as file:
            head = file.read(len(SQLITE_HEADER))
    except NoManifest as error:
        raise BackupFailed(str(error)) from None
    except OSError as error:
        raise BackupFailed(f"{copy} cannot be read: {error.strerror}.") from None
    try:
        with _opened(copy, head, scratch) as alias:
            _inspect(alias, manifest, report, everything)
    except DatabaseError as error:
        raise BackupFailed(f"{copy} cannot be read: {_first_line(error)}") from None
    if not report.faults:
        # A copy may be verified on a machine without the running database.
        with suppress(DatabaseError):
            LastBackup.objects.filter(pk=1).update(verified_at=timezone.now())
    return report


def _inspect(alias: str, manifest: Manifest, report: Report, everything: bool) -> None:
    contents = read_contents(alias)
    report.faults += differences(manifest.contents, contents)
    given = {fingerprints.fingerprint(str(key)) for key in settings.SEAL_KEYS}
    if lost := sorted(set(contents.keys) - given):
        report.faults.append(
            "It was sealed with a key that SEAL_KEYS does not hold "
            f"(fingerprint {', '.join(lost)})."
        )
    inspection = Inspection(alias, everything=everything)
    report.matches, report.plies = inspection.matches, inspection.plies
    report.faults += inspection.faults


@contextmanager
def _opened(copy: Path, head: bytes, scratch: str) -> Iterator[str]:
    """Open the copy as one of Django's databases; yields its alias."""
    if head == SQLITE_HEADER:
        with making.opened(copy) as alias:
            _check_integrity(alias)
            _check_migrations(alias)
            yield alias
    elif head.startswith(DUMP_HEADER):
        if connection.vendor != "postgresql":
            raise BackupFailed(
                f"{copy} is a copy of PostgreSQL. Name a server to restore it on with DATABASE_URL."
            )
        with _restored(copy, scratch) as alias:
            _check_migrations(alias)
            yield alias
    else:
        raise BackupFailed(f"{copy} is not a copy of a database.")


@contextmanager
def _restored(copy: Path, scratch: str) -> Iterator[str]:
    """Restore the copy into a scratch database, which is dropped afterwards; yields its alias."""
    quoted = connection.ops.quote_name(scratch)
    program = postgres.find("pg_restore", postgres.server_version()[0])
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [scratch])
        if cursor.fetchone():
            raise BackupFailed(
                f"The database {scratch} already exists. Run `dropdb {scratch}` if a verification "
                "left it behind, or name another one with --scratch."
            )
        try:
            cursor.execute(f"CREATE DATABASE {quoted} TEMPLATE template0")
        except DatabaseError as error:
            raise BackupFailed(
                f"The scratch database could not be created: {_first_line(error)}"
            ) from None
    try:
        with making.database({"NAME": scratch, "CONN_MAX_AGE": 0}) as alias:
            named = {**connection.settings_dict, "NAME": scratch}
            options = ["--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={scratch}"]
            postgres.run(program, [*options], {**named, "NAME": str(copy)})
            yield alias
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {quoted}")


def _check_integrity(alias: str) -> None:
    with connections[alias].cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(1)")
        (result,) = cursor.fetchone()
    if result != "ok":
        raise BackupFailed(f"SQLite finds the copy broken: {result}")


def _check_migrations(alias: str) -> None:
    """Raise BackupFailed if the copy lacks migrations that this program has."""
    if missing := start_check.unapplied(alias):
        raise BackupFailed(
            f"The copy is from an older version of the program: it lacks {', '.join(missing[:3])}. "
            "Verify it with that version, or restore it and run `manage.py migrate`."
        )


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
