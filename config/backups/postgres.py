"""PostgreSQL's own programs for copies: found, and new enough for the server."""

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

    An older pg_dump refuses a newer server, and pg_restore what a newer pg_dump has written.
    """
    found = {path: version(path) for path in _installed(program)}
    if not found:
        raise BackupFailed(f"There is no {program} here. Debian's package is postgresql-client.")
    for path, major in found.items():
        if major >= at_least:
            return path
    raise BackupFailed(
        f"{program} is of version {max(found.values())}, and version {at_least} is needed. "
        f"Debian's package is postgresql-client-{at_least}."
    )


def _installed(program: str) -> Iterator[str]:
    if path := shutil.which(program):
        yield path
    yield from sorted((str(path) for path in DEBIAN.glob(f"*/bin/{program}")), reverse=True)


def version(path: str) -> int:
    """The major version that a program tells of itself; 0 if it tells none."""
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", said.stdout)
    return int(number[1]) if number else 0


def run(path: str, options: list[str], settings: Mapping[str, Any]) -> None:
    """Run a program on the database of these settings; raises BackupFailed with its first words.

    The password goes by the environment, where other users of the machine cannot read it.
    """
    command, passed = DatabaseClient.settings_to_cmd_args_env(dict(settings), options)
    environment = {**os.environ, **(passed or {})}
    done = subprocess.run(  # noqa: S603
        [path, *command[1:]], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().partition("\n")[0]
        raise BackupFailed(f"{Path(path).name} failed: {said}")


def server_version(alias: str = "default") -> tuple[int, str]:
    """The server's major version, and how it names its version."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        number = int(cursor.fetchone()[0])
    return number // 10_000, f"postgresql {number // 10_000}.{number % 10_000}"
