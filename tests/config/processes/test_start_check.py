"""Processes refuse to start if something is missing, and say why."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError
from django.db import connection

from config.keys import fingerprints, prepare
from config.models import KeyFingerprint
from config.processes import start_check
from tests import tiers
from tests.config.keys.test_prepare import python

OTHER = "another key, which is long enough to be one"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def umask(monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask of the tests' own process does not change."""
    monkeypatch.setattr(prepare, "restrict_umask", lambda: None)


def test_a_complete_installation_starts() -> None:
    start_check.require_ready()
    start_check.require_ready()
    assert KeyFingerprint.objects.count() == 1


def test_a_migration_that_is_not_applied_is_reported() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'play'")
    with pytest.raises(ImproperlyConfigured, match=r"lacks play\.0001_initial, .*`manage\.py mig"):
        start_check.require_ready()


def test_a_cache_without_its_table_is_named(settings: Any) -> None:
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": "nowhere"},
    }
    with pytest.raises(ImproperlyConfigured, match="lacks the table nowhere"):
        start_check.require_ready()


def test_missing_hashed_files_are_reported(settings: Any, tmp_path: Path) -> None:
    settings.HASHED_STATIC, settings.STATIC_ROOT = True, tmp_path
    with pytest.raises(ImproperlyConfigured, match="collectstatic"):
        start_check.require_ready()


def test_a_log_that_cannot_be_written_is_reported(settings: Any, tmp_path: Path) -> None:
    settings.LOG_FILE = tmp_path / "logs" / "estafette.log"
    with pytest.raises(
        ImproperlyConfigured, match=r"logs/estafette\.log, which cannot be written: No"
    ):
        start_check.require_ready()
    settings.LOG_FILE.parent.mkdir()
    start_check.require_ready()


def test_a_missing_key_is_reported_by_its_fingerprint(settings: Any) -> None:
    start_check.require_ready()
    lost = fingerprints.fingerprint(str(settings.SEAL_KEYS[0]))
    before, settings.SEAL_KEYS = settings.SEAL_KEYS, [OTHER]
    with pytest.raises(ImproperlyConfigured, match=rf"does not hold \(fingerprint {lost}; given"):
        start_check.require_ready()
    settings.SEAL_KEYS = [OTHER, *before]
    start_check.require_ready()
    assert len(fingerprints.stored()) == 2


def test_no_key_is_created_for_a_database_that_has_one(settings: Any, tmp_path: Path) -> None:
    start_check.require_ready()
    settings.VAR_DIR = settings.STATIC_ROOT = tmp_path
    settings.KEY_FILES = {"SEAL_KEYS": tmp_path / "seal_key"}
    with pytest.raises(CommandError, match="Restore that key"):
        prepare.prepare()
    assert not (tmp_path / "seal_key").exists()


def test_a_fingerprint_reveals_nothing_about_its_key() -> None:
    assert fingerprints.fingerprint(OTHER) == fingerprints.fingerprint(OTHER)
    assert fingerprints.fingerprint(OTHER) != fingerprints.fingerprint(OTHER + ".")
    assert len(fingerprints.fingerprint(OTHER)) == 16


NO_DATABASE = {"DATABASE_URL": "postgres://somebody:secret@127.0.0.1:1/nothing"}
# How a process is started, with which settings, and what it says.
STARTS: list[tuple[list[str], dict[str, str], str]] = [
    (["manage.py", "serve"], {}, "The database is not up to date: it lacks "),
    (["-m", "celery", "-A", "config", "worker"], NO_DATABASE, "cannot be reached: connection"),
    (["manage.py", "migrate"], NO_DATABASE, "cannot be reached: connection"),
    (["-m", "celery", "-A", "config", "beat"], {}, "The database is not up to date: it lacks "),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "given", "expected"),
    tiers.parameters(STARTS, fast=STARTS[:1]),
    ids=["serve", "worker", "migrate", "beat"],
)
def test_every_process_reports_what_is_missing(
    tmp_path: Path, start: list[str], given: dict[str, str], expected: str
) -> None:
    assert python("manage.py", "prepare", VAR_DIR=str(tmp_path)).returncode == 0
    done = python(*start, VAR_DIR=str(tmp_path), C_FORCE_ROOT="true", **given)
    assert done.returncode == 1
    assert expected in done.stderr and "Traceback" not in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "apps", tiers.parameters([["auth"], []], fast=[["auth"]]), ids=["one", "all"]
)
def test_other_users_cannot_read_what_the_service_writes(tmp_path: Path, apps: list[str]) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    assert python("manage.py", "migrate", *apps, VAR_DIR=str(var)).returncode == 0
    paths = [var, *var.rglob("*")]
    assert {"estafette.sqlite3", "seal_key"} <= {path.name for path in paths}
    assert not [path for path in paths if path.stat().st_mode & 0o077]


@pytest.mark.parametrize("name", tiers.parameters(("SEAL_KEYS", "SECRET_KEY"), fast=("SEAL_KEYS",)))
def test_a_short_key_is_refused(tmp_path: Path, name: str) -> None:
    done = python("manage.py", "check", **{"VAR_DIR": str(tmp_path), name: "a"})
    assert done.returncode == 1
    assert f"{name} holds a key of fewer than 32 characters." in done.stderr
