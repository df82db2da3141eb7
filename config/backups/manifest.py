"""Manifest of a backup: what the copy is a copy of, so that it can be checked by itself.

It holds counts, hashes and fingerprints, and nothing that opens or names anything.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connections

from config.models import KeyFingerprint
from games.play.record import verification

SUFFIX = ".json"  # instead of the copy's own


class NoManifest(Exception):  # noqa: N818 -- it is the finding.
    """There is none beside the copy, or it cannot be read."""


@dataclass(frozen=True)
class Facts:
    """What can be found in a database, running or copied."""

    migrations: list[str]  # that were applied
    keys: list[str]  # fingerprints of those with which something is sealed
    rows: dict[str, int]  # by table
    newest_ply: dict[str, Any] | None


@dataclass(frozen=True)
class Manifest:
    made_at: str
    database: str  # such as "postgresql 15.18"
    file: str
    bytes: int
    sha256: str
    facts: Facts

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, copy: Path) -> "Manifest":
        """The one beside a copy; raises NoManifest."""
        path = copy.with_suffix(SUFFIX)
        try:
            said = json.loads(path.read_text())
            return cls(**{**said, "facts": Facts(**said["facts"])})
        except FileNotFoundError:
            raise NoManifest(f"There is no manifest {path} beside it.") from None
        except (OSError, ValueError, TypeError, KeyError):
            raise NoManifest(f"Its manifest {path} cannot be read.") from None


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def facts_of(alias: str) -> Facts:
    """Find out about the database of that alias, best within one transaction."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
    return Facts(
        migrations=migrations,
        keys=sorted(
            KeyFingerprint.objects.using(alias).values_list("fingerprint", flat=True),
        ),
        rows={
            model._meta.db_table: model._base_manager.using(alias).count()
            for model in sorted(apps.get_models(), key=lambda model: model._meta.db_table)
        },
        newest_ply=verification.newest_ply(alias),
    )


def differences(manifest: Facts, found: Facts) -> Iterator[str]:
    """In which the copy is not what its manifest says, a sentence each."""
    for table, count in manifest.rows.items():
        if (now := found.rows.get(table)) != count:
            yield f"{table} has {now} rows; the manifest says {count}."
    if manifest.migrations != found.migrations:
        yield "It has other migrations than its manifest says."
    if manifest.keys != found.keys:
        yield "It was sealed with other keys than its manifest says."
    if manifest.newest_ply != found.newest_ply:
        yield f"Its newest ply is {found.newest_ply}; the manifest says {manifest.newest_ply}."
