"""`manage.py backup` and `verify_backup`, as an operator runs them while the service is running."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.backups import postgres as programs
from config.backups.failure import BackupFailed
from config.backups.freshness import freshness
from config.backups.manifest import sha256_of
from config.models import KeyFingerprint, LastBackup
from games.archive.models import FilmFile
from lib.db_clock import now
from tests import preloaded, tiers
from tests.servers import Postgres
from tests.stack import Stack

pytestmark = pytest.mark.long

PLAY = """
from config.processes import start_check
from games.archive.models import Film, FilmFile
from tests.play import match_helpers
start_check.require_ready()
who = match_helpers.people()
for _ in range(3):
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
film = Film.objects.create(match=match, eyes="open", bytes=9, asked_at=match.created_at)
FilmFile.objects.create(film=film, body=b"GIF89a..;")
"""
PLIES = 3 * (3 + 2)  # the beginning, two set-ups, two moves
OTHER_KEY = "another key which is long enough to be one"


class Club:
    """A service with three matches and no running process, and a backup of it."""

    def __init__(self, service: Stack, folder: Path, copy: Path | None = None) -> None:
        self.service, self.folder = service, folder
        if copy is None:
            service.shell(PLAY)
            service.manage("backup", str(folder))
        (self.copy,) = (path for path in folder.glob("estafette-*") if path.suffix != ".json")

    @property
    def manifest(self) -> Path:
        return self.copy.with_suffix(".json")

    def complaint(self, *options: str, **environment: str) -> str:
        """What verify_backup says is wrong."""
        arguments = ("verify_backup", str(self.copy), *options)
        if environment:
            environment = {**self.service.environment, **environment}
            done = preloaded.run(["manage.py", *arguments], environment)
        else:
            done = self.service.attempt(*arguments)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
        return done.stderr

    def again(self, folder: Path) -> "Club":
        """The same with separate files, to be damaged."""
        shutil.copytree(self.folder, folder)
        return Club(self.service, folder, folder / self.copy.name)


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with Stack(web=0, workers=0, beat=0) as service:
        yield Club(service, tmp_path_factory.mktemp("sqlite") / "copies")


@pytest.fixture(scope="module")
def on_postgres(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with Stack(database_url=postgres.create("club"), web=0, workers=0, beat=0) as service:
        yield Club(service, tmp_path_factory.mktemp("postgres") / "copies")


@pytest.fixture(params=["on_sqlite", pytest.param("on_postgres", marks=pytest.mark.servers)])
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Club:
    made: Club = request.getfixturevalue(request.param)
    return made.again(tmp_path / "copies")


@pytest.fixture
def small_club(on_sqlite: Club, tmp_path: Path) -> Club:
    return on_sqlite.again(tmp_path / "copies")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def reseal_manifest(copy: Path) -> None:
    """Adapt the manifest to a copy that was changed."""
    manifest = copy.with_suffix(".json")
    contents = json.loads(manifest.read_text())
    contents |= {"bytes": copy.stat().st_size, "sha256": sha256_of(copy)}
    manifest.write_text(json.dumps(contents))


def test_a_copy_is_complete_and_readable_only_for_its_owner(club: Club) -> None:
    assert mode(club.folder) == 0o700
    assert {mode(path) for path in club.folder.iterdir()} == {0o600}
    assert len(list(club.folder.iterdir())) == 2
    contents = json.loads(club.manifest.read_text())
    assert contents["file"] == club.copy.name and contents["bytes"] == club.copy.stat().st_size
    assert contents["contents"]["rows"]["play_ply"] == PLIES
    assert contents["contents"]["newest_ply"]["number"] == 4
    assert len(contents["contents"]["keys"]) == 1
    output = club.service.manage("verify_backup", str(club.copy), "--all")
    assert f"{PLIES} plies of 3 matches open, and their chains are intact." in output
    row = LastBackup.objects.values_list("bytes", "verified_at")
    ((size, verified_at),) = club.service.ask(row)
    assert size == club.copy.stat().st_size and verified_at is not None
    assert len(list(club.folder.iterdir())) == 2


def test_films_are_left_out(club: Club) -> None:
    """They can be made again from the matches, and take more space than these."""
    rows = json.loads(club.manifest.read_text())["contents"]["rows"]
    assert (rows["archive_film"], rows["archive_filmfile"]) == (0, 0)
    assert b"GIF89a" not in club.copy.read_bytes()
    assert club.service.ask(FilmFile.objects.values_list("film__eyes")) == [("open",)]
    club.service.manage("verify_backup", str(club.copy))


def test_the_keys_of_the_service_are_required(club: Club) -> None:
    complaint = club.complaint(SEAL_KEYS=OTHER_KEY)
    assert "a key that SEAL_KEYS does not hold" in complaint
    assert "cannot be opened" in complaint


@pytest.mark.parametrize(
    "harm",
    tiers.parameters(("cut", "changed", "no manifest", "no copy", "garbage"), fast=("changed",)),
)
def test_a_file_that_is_not_the_copy_is_reported(club: Club, harm: str) -> None:
    content = bytearray(club.copy.read_bytes())
    if harm == "cut":
        club.copy.write_bytes(content[: len(content) // 2])
        expected = "it was cut off or changed"
    elif harm == "changed":
        content[len(content) // 2] ^= 1
        club.copy.write_bytes(content)
        expected = "it was cut off or changed"
    elif harm == "no manifest":
        club.manifest.unlink()
        expected = "does not exist"
    elif harm == "no copy":
        club.copy.unlink()
        expected = "cannot be read: No such file"
    else:
        club.copy.write_bytes(b"garbage")
        reseal_manifest(club.copy)
        expected = "is not a copy of a database"
    assert expected in club.complaint()


HARMS = {
    "UPDATE play_ply SET text = 'a4-a6' WHERE match_id = 2 AND number = 3": (
        "The chain of match 2 breaks at ply 3."
    ),
    "UPDATE play_ply SET sealed = (SELECT sealed FROM play_ply WHERE match_id = 1 AND number = 3) "
    "WHERE match_id = 2 AND number = 3": "Ply 3 of match 2 cannot be opened.",
    "DELETE FROM play_ply WHERE match_id = 2 AND number = 4": "Match 2 lacks ply 4.",
    "DELETE FROM play_ply WHERE match_id = 2 AND number = 1": "Match 2 lacks ply 1.",
    "DELETE FROM django_migrations WHERE app = 'lobby'": "it lacks lobby.0001_initial",
    "DELETE FROM accounts_session; DELETE FROM outbox_dispatch": (
        "outbox_dispatch has 0 rows; the manifest says"
    ),
}


@pytest.mark.parametrize("harm", tiers.parameters(HARMS, fast=[*HARMS][::3]))
def test_faults_of_a_copy_are_reported(small_club: Club, harm: str) -> None:
    copy = sqlite3.connect(small_club.copy)
    copy.executescript(harm)
    copy.close()
    reseal_manifest(small_club.copy)
    assert HARMS[harm] in small_club.complaint()


def test_a_broken_file_is_reported(small_club: Club) -> None:
    content = bytearray(small_club.copy.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xff" * 20_000
    small_club.copy.write_bytes(content)
    reseal_manifest(small_club.copy)
    complaint = small_club.complaint()
    assert "finds the copy broken" in complaint or "cannot be read" in complaint


def test_a_directory_that_cannot_be_written_is_reported(small_club: Club) -> None:
    file = small_club.folder / "file"
    file.touch()
    done = small_club.service.attempt("backup", str(file))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "File exists" in done.stderr or "Not a directory" in done.stderr


@pytest.mark.soak
@pytest.mark.servers
def test_a_scratch_database_of_another_program_is_not_changed(
    postgres: Postgres, on_postgres: Club
) -> None:
    other = postgres.create("other").rpartition("/")[2]
    assert f"The database {other} already exists" in on_postgres.complaint("--scratch", other)
    with psycopg.connect(postgres.url(other)) as connection:
        assert connection.execute("SELECT count(*) FROM accounts_user").fetchone() == (0,)
    on_postgres.service.manage("verify_backup", str(on_postgres.copy))
    with postgres.connect() as connection:
        names = "SELECT count(*) FROM pg_database WHERE datname = 'estafette_verify'"
        assert connection.execute(names).fetchone() == (0,)


def a_program(folder: Path, words: str) -> None:
    path = folder / "pg_dump"
    path.write_text(f"#!/bin/sh\necho '{words}'\n")
    path.chmod(0o755)


def test_an_older_program_than_the_server_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(programs, "DEBIAN", tmp_path / "none")
    a_program(tmp_path, "pg_dump (PostgreSQL) 14.9 (Debian 14.9-1)")
    assert programs.find("pg_dump", 14) == str(tmp_path / "pg_dump")
    with pytest.raises(BackupFailed, match="has version 14; version 15 is needed"):
        programs.find("pg_dump", 15)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    with pytest.raises(BackupFailed, match="pg_dump is not installed"):
        programs.find("pg_dump", 15)


# --- Restoring a copy


@pytest.mark.servers
@pytest.mark.parametrize("vendor", tiers.parameters(("sqlite", "postgres"), fast=("postgres",)))
def test_a_restored_copy_continues_and_sends_nothing_twice(
    vendor: str, request: pytest.FixtureRequest, tmp_path: Path, smtp_sink: Any
) -> None:
    """The steps of docs/running/backups.md."""
    server = request.getfixturevalue("postgres") if vendor == "postgres" else None
    url = server.create("club") if server else None
    with Stack(database_url=url, email_url=smtp_sink.url, web=0, workers=0, beat=0) as original:
        club = Club(original, tmp_path / "copies")
        deliver = "from games.outbox.delivery import dispatcher; dispatcher.drain()"
        original.shell(deliver)
        sent = len(smtp_sink.taken)
        assert sent > 0
        keys = {name: (original.var / name).read_text() for name in ("secret_key", "seal_key")}
        given = {"SECRET_KEY": keys["secret_key"], "SEAL_KEYS": keys["seal_key"]}
        restored_url = None
        if server:
            restored_url = server.url("restored")
            with server.connect() as connection:
                connection.execute("CREATE DATABASE restored TEMPLATE template0")
            command = server.command("pg_restore", "--no-owner", "--no-privileges")
            options = ["--exit-on-error", f"--dbname={restored_url}", str(club.copy)]
            subprocess.run([*command, *options], check=True)
        extra = {**given, "HOLD_EMAILS": "true"}
        with Stack(
            database_url=restored_url,
            email_url=smtp_sink.url,
            web=0,
            workers=0,
            beat=0,
            extra=extra,
        ) as restored:
            if not server:
                shutil.copyfile(club.copy, restored.var / "estafette.sqlite3")
            restored.manage("migrate", "-v", "0")
            restored.shell(deliver)
            assert len(smtp_sink.taken) == sent
            restored.manage("release_emails", "--drop-before", datetime.now(UTC).isoformat())
            move = (
                "from tests.play import match_helpers; from games.play.models.match import Match; "
                "match_helpers.play(Match.objects.get(pk=1), 'a5-a6')"
            )
            restored.shell(move)
            restored.environment["HOLD_EMAILS"] = "false"
            restored.shell(deliver)
            assert len(smtp_sink.taken) == sent + 1


# --- Freshness


@pytest.mark.django_db
def test_an_overdue_backup_is_reported(settings: Any) -> None:
    settings.BACKUP_ALERT_DAYS = 8
    at = now()
    assert freshness(at) == (None, False, None, False)
    KeyFingerprint.objects.create(fingerprint="0" * 16)
    assert freshness(at) == (None, False, None, False), "It has only begun."
    KeyFingerprint.objects.update(first_used_at=at - timedelta(days=9))
    assert freshness(at) == (None, True, None, False)
    week, longer = timedelta(days=7), timedelta(days=9)
    LastBackup.objects.create(pk=1, made_at=at - week, verified_at=at - week, bytes=1, seconds=1)
    assert freshness(at) == (week, False, week, False)
    LastBackup.objects.update(made_at=at - longer)
    assert freshness(at) == (longer, True, week, False)
    settings.BACKUP_ALERT_DAYS = 0
    assert freshness(at) == (longer, False, week, False)


@pytest.mark.django_db
def test_an_overdue_verification_is_reported(settings: Any) -> None:
    settings.BACKUP_ALERT_DAYS = 8
    at, day, longer = now(), timedelta(days=1), timedelta(days=9)
    KeyFingerprint.objects.create(fingerprint="0" * 16)
    LastBackup.objects.create(pk=1, made_at=at - day, bytes=1, seconds=1)
    assert freshness(at) == (day, False, None, False), "It has only begun."
    KeyFingerprint.objects.update(first_used_at=at - longer)
    assert freshness(at) == (day, False, None, True)
    LastBackup.objects.update(verified_at=at - longer)
    assert freshness(at) == (day, False, longer, True)
    settings.BACKUP_ALERT_DAYS = 0
    assert freshness(at) == (day, False, longer, False)
