"""Manifest of a backup: what the copy contains, so that it can be verified on its own.

It holds counts, hashes and fingerprints; no keys and no personal data.
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
    """The copy has no manifest, or it cannot be read."""


@dataclass(frozen=True)
class Contents:
    """Counts and versions of a database, running or copied."""

    migrations: list[str]  # that were applied
    keys: list[str]  # fingerprints of the keys that sealed its data
    rows: dict[str, int]  # by table
    newest_ply: dict[str, Any] | None


@dataclass(frozen=True)
class Manifest:
    made_at: str
    database: str  # such as "postgresql 15.18"
    file: str
    bytes: int
    sha256: str
    contents: Contents

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, copy: Path) -> "Manifest":
        """The manifest of a copy; raises NoManifest."""
        path = copy.with_suffix(SUFFIX)
        try:
            values = json.loads(path.read_text())
            return cls(**{**values, "contents": Contents(**values["contents"])})
        except FileNotFoundError:
            raise NoManifest(f"Its manifest {path} does not exist.") from None
        except (OSError, ValueError, TypeError, KeyError):
            raise NoManifest(f"Its manifest {path} cannot be read.") from None


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def read_contents(alias: str) -> Contents:
    """The contents of the database with this alias; call it in a transaction."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
    return Contents(
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


def differences(manifest: Contents, copy: Contents) -> Iterator[str]:
    """How the copy differs from its manifest, a sentence each."""
    for table, count in manifest.rows.items():
        if (now := copy.rows.get(table)) != count:
            yield f"{table} has {now} rows; the manifest says {count}."
    if manifest.migrations != copy.migrations:
        yield "Its migrations differ from its manifest."
    if manifest.keys != copy.keys:
        yield "It was sealed with other keys than its manifest says."
    if manifest.newest_ply != copy.newest_ply:
        yield f"Its newest ply is {copy.newest_ply}; the manifest says {manifest.newest_ply}."
