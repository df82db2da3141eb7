"""Finds and runs pg_dump and pg_restore, in a version that fits the server."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.backends.postgresql.client import DatabaseClient

from config.backups.failure import BackupFailed

DEBIAN = Path("/usr/lib/postgresql")


def find(program: str, at_least: int) -> str:
    """The path of a program of this major version or a newer one; raises BackupFailed.

    pg_dump refuses a server newer than itself; pg_restore cannot read a newer pg_dump's output.
    """
    versions = {path: version(path) for path in _installed(program)}
    if not versions:
        raise BackupFailed(f"{program} is not installed. Debian's package is postgresql-client.")
    for path, major in versions.items():
        if major >= at_least:
            return path
    raise BackupFailed(
        f"{program} has version {max(versions.values())}; version {at_least} is needed. "
        f"Debian's package is postgresql-client-{at_least}."
    )


def _installed(program: str) -> Iterator[str]:
    if path := shutil.which(program):
        yield path
    yield from sorted((str(path) for path in DEBIAN.glob(f"*/bin/{program}")), reverse=True)


def version(path: str) -> int:
    """The major version that a program reports; 0 if it reports none."""
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", output.stdout)
    return int(number[1]) if number else 0


def run(path: str, options: list[str], settings: Mapping[str, Any]) -> None:
    """Run a program on the database of these settings; raises BackupFailed with its first line.

    The password is passed in the environment: other users can read the arguments of a process.
    """
    command, variables = DatabaseClient.settings_to_cmd_args_env(dict(settings), options)
    environment = {**os.environ, **(variables or {})}
    done = subprocess.run(  # noqa: S603
        [path, *command[1:]], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        reason = done.stderr.strip().partition("\n")[0]
        raise BackupFailed(f"{Path(path).name} failed: {reason}")


def server_version(alias: str = "default") -> tuple[int, str]:
    """The server's major version, and its name such as "postgresql 15.18"."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        number = int(cursor.fetchone()[0])
    return number // 10_000, f"postgresql {number // 10_000}.{number % 10_000}"
