"""An upgrade in two steps on PostgreSQL, while people play: old and new code side by side.

The old version is this one. The next adds a column and an index; the one after removes the column
from the model, and the last drops it, when nothing reads it any more. No request fails, and no move
is lost (docs/upgrading.md).
"""

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import psycopg
import pytest

from tests.play.match_helpers import SETUPS
from tests.preloaded import ROOT
from tests.servers import Postgres, free_port, wait_for_port
from tests.stack import Stack

PLAYERS = 3  # each plays both sides of one match after the other
MATCHES, LENGTH = 20, 20  # of each; with more plies, some would be drawn
PAUSE_SECONDS = 0.15  # between two requests of a player
SOUTH, NORTH = SETUPS["lattaque-10x10"]
MOVES = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")

OPEN = f"""
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
from accounts.user_sessions.store import SessionStore
from games.play.commands import moves
from games.play.commands.matches import open_match
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
cookies, people = [], []
for name in ("Alice", "Bob"):
    person = User.objects.filter(username=name).first()
    person = person or User.objects.create_confirmed(name, name + "@example.org")
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "accounts.sign_in.auth_backend.Backend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    people.append(person)
    cookies.append(session.session_key)
matches = []
for _ in range(%d):
    match = open_match(Terms("lattaque-en"), dict(zip(Seat, people)))
    moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
    moves.submit_move(match.pk, people[1], {NORTH!r}, None)
    matches.append(match.pk)
print(json.dumps([matches, cookies]))
"""

FIELD = '    mark = models.CharField(max_length=20, default="", db_default="")\n'
HEADER = """
from django.db import migrations, models
from lib.database.migration_operations import AddIndexOnline
class Migration(migrations.Migration):
    dependencies = [("play", "{before}")]
    atomic = {atomic}
    operations = [{operation}]
"""
MARK = 'models.CharField(max_length=20, default="", db_default="")'
INDEX = 'models.Index(fields=["mark"], name="match_mark")'
PACKAGES = ("accounts", "config", "games", "lib")
# By name: what it does, as a migration of play.
ADD = {
    "9001_mark": f'migrations.AddField("match", "mark", {MARK})',
    "9002_mark_index": f'AddIndexOnline("match", {INDEX})',
}
FORGET = {
    "9003_forget_mark": "migrations.SeparateDatabaseAndState(state_operations=["
    'migrations.RemoveIndex("match", "match_mark"), migrations.RemoveField("match", "mark")])'
}
DROP = {"9004_drop_mark": "migrations.RunSQL('ALTER TABLE play_match DROP COLUMN mark')"}


class Version:
    """A copy of the program with these additional migrations; with the column or without."""

    def __init__(self, folder: Path, added: dict[str, str], *, knows_the_column: bool) -> None:
        self.folder = folder
        for name in (*PACKAGES, "templates", "static", "locale", "tests"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
        for name in ("manage.py", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        migrations = folder / "games" / "play" / "migrations"
        before = max(file.stem for file in migrations.glob("0*.py"))
        for name, operation in added.items():
            text = HEADER.format(before=before, atomic="ndex" not in name, operation=operation)
            (migrations / f"{name}.py").write_text(text)
            before = name
        if knows_the_column:
            status = "    status = models.Char"
            self._replace("models/match.py", status, FIELD + status)
            index = f"        indexes = [\n            {INDEX},\n"
            self._replace("models/match.py", "        indexes = [\n", index)
            # Every move uses the new column.
            self._replace("record/match_store.py", "SET ply = %s,", "SET mark = 'new', ply = %s,")

    def _replace(self, name: str, old: str, new: str) -> None:
        file = self.folder / "games" / "play" / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def run(self, environment: dict[str, str], *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )

    def migrate(self, environment: dict[str, str]) -> None:
        done = self.run(environment, "manage.py", "migrate", "--noinput")
        assert done.returncode == 0, done.stderr

    def start(self, environment: dict[str, str]) -> "Running":
        """A web server and a worker of this version."""
        port = free_port()
        commands = (
            ["manage.py", "serve", "--port", str(port)],
            ["-m", "celery", "-A", "config", "worker", "-P", "threads", "-c", "2"],
        )
        log = Path(environment["VAR_DIR"]) / f"{self.folder.name}.log"
        with log.open("ab") as log_file:
            options: dict[str, Any] = {"cwd": self.folder, "env": environment, "stdout": log_file}
            processes = [
                subprocess.Popen([sys.executable, *command], stderr=log_file, **options)
                for command in commands
            ]
        wait_for_port(port)
        return Running(port, processes)


class Running(NamedTuple):
    port: int
    processes: list["subprocess.Popen[bytes]"]

    def stop(self) -> None:
        """Stop it with SIGTERM: open requests are answered."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait(60)


class Play:
    """People who keep playing, at the web servers in `targets`; every response is counted."""

    def __init__(self, cookies: list[str]) -> None:
        self.targets: list[int] = []
        self.answers: Counter[str] = Counter()
        self.acknowledged: Counter[int] = Counter()  # plies, by match
        self.ended = False
        self._cookies = cookies

    def ask(self, port: int, method: str, path: str, seat: int, form: str = "") -> int:
        headers = {
            "Cookie": f"sessionid={self._cookies[seat]}; csrftoken={'c' * 32}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request(method, path, form, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def move(self, match: int, ply: int) -> None:
        fields = {"move": MOVES[ply % 4], "ply": 2 + ply, "csrfmiddlewaretoken": "c" * 32}
        for method, path, form in (
            ("POST", f"/match/{match}/move/", urlencode(fields)),
            ("GET", f"/match/{match}/", ""),
            ("GET", "/", ""),
        ):
            status = self.ask(random.choice(self.targets), method, path, ply % 2, form)
            self.answers[f"{method} {status}"] += 1
            if method == "POST" and status == 302:
                self.acknowledged[match] += 1
            time.sleep(PAUSE_SECONDS)

    def through(self, matches: list[int]) -> None:
        for match, ply in itertools.product(matches, range(LENGTH)):
            if self.ended:
                return
            self.move(match, ply)
        raise AssertionError("They should play until the end.")

    def lasts(self, answers: int = 12) -> None:
        """Wait until this many more responses came."""
        until = time.monotonic() + 120
        wanted = self.answers.total() + answers
        while self.answers.total() < wanted:
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Version, Version, Version]:
    added = Version(tmp_path / "added", ADD, knows_the_column=True)
    forgot = Version(tmp_path / "forgot", ADD | FORGET, knows_the_column=False)
    dropped = Version(tmp_path / "dropped", ADD | FORGET | DROP, knows_the_column=False)
    return added, forgot, dropped


@pytest.mark.soak
@pytest.mark.servers
def test_no_request_fails_during_an_upgrade(
    stack: Callable[..., Stack], postgres: Postgres, versions: tuple[Version, Version, Version]
) -> None:
    added, forgot, dropped = versions
    url = postgres.create("upgrade")
    old = stack(database_url=url, web=1, workers=1, beat=0)
    environment = old.environment | {"PYTHONDONTWRITEBYTECODE": "1"}
    matches, cookies = json.loads(old.shell(OPEN % (PLAYERS * MATCHES)).splitlines()[-1])
    play = Play(cookies)
    first = int(old.url().rstrip("/").rpartition(":")[2])
    play.targets = [first]
    running: list[Running] = []
    with ThreadPoolExecutor(PLAYERS) as people:
        playing: list[Future[None]] = [
            people.submit(play.through, matches[number::PLAYERS]) for number in range(PLAYERS)
        ]
        try:
            added.migrate(environment)
            play.lasts()  # only the old code, on the new tables
            ((by_old,), _cookies) = json.loads(old.shell(OPEN % 1).splitlines()[-1])
            running.append(second := added.start(environment))
            play.targets = [first, second.port]
            play.lasts(24)
            play.targets = [second.port]
            for name in ("web1", "worker1"):
                os.kill(old.pid(name), signal.SIGTERM)
            play.lasts()

            forgot.migrate(environment)
            running.append(third := forgot.start(environment))
            play.targets = [second.port, third.port]
            play.lasts(24)
            play.targets = [third.port]
            play.lasts()
            dropped.migrate(environment)
            play.lasts(24)

            # In one step: code that reads the column does not find it.
            assert play.ask(second.port, "GET", f"/match/{by_old}/", 0) == 500
        finally:
            play.ended = True
            for one in running:
                one.stop()
        for player in playing:
            player.result()
    assert set(play.answers) == {"POST 302", "GET 200"}, play.answers
    with psycopg.connect(url) as database:
        stored = database.execute(
            "SELECT match_id, count(*) FROM play_ply WHERE kind = 'move' GROUP BY match_id"
        ).fetchall()
        dead = "SELECT count(*) FROM outbox_dispatch WHERE dead_at IS NOT NULL"
        assert database.execute(dead).fetchone() == (0,)
    assert dict(stored) == play.acknowledged


@pytest.mark.soak
@pytest.mark.long
def test_the_lint_accepts_the_first_steps_and_refuses_the_last(
    versions: tuple[Version, Version, Version],
) -> None:
    _added, forgot, dropped = versions
    first, last = (
        version.run(dict(os.environ), "-m", "tests.lint_migrations")
        for version in (forgot, dropped)
    )
    assert first.returncode == 0, first.stdout + first.stderr
    assert last.returncode == 1 and "9004_drop_mark" in last.stdout
    table = dropped.folder / "tests" / "lint_migrations.py"
    reviewed = '= {("play", "9004_drop_mark"): "No version that runs knows it."}'
    text = table.read_text()
    assert "str] = {}" in text
    table.write_text(text.replace("str] = {}", f"str] {reviewed}"))
    assert dropped.run(dict(os.environ), "-m", "tests.lint_migrations").returncode == 0
