"""Backups under load: each copy is of one instant, complete, with every acknowledged ply."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import tiers
from tests.preloaded import ROOT
from tests.servers import Postgres, wait_for
from tests.stack import Stack

BACKUPS = int(os.environ.get("BACKUPS", "2"))
PLAYING = 2  # processes that play concurrently

# Random matches, one after another; a line for each once it is committed.
PLAY = """
import random
from accounts.models import User
from config.demo.matches import play
from games.play.models.match import Match
dice = random.Random({number})
south, north = (User.objects.get(username=name) for name in ("Alice", "Bob"))
while True:
    match = play(dice, south, north, "lattaque-en", 20)
    print(Match.objects.get(pk=match.pk).ply + 1, flush=True)
"""
PEOPLE = """
from config.processes import start_check
from tests.play import match_helpers
start_check.require_ready()
match_helpers.people()
"""


@pytest.fixture(params=tiers.parameters(("sqlite", "postgres"), fast=("sqlite",)))
def service(request: pytest.FixtureRequest, stack: Callable[..., Stack]) -> Stack:
    url = None
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.create("load")
    return stack(database_url=url, web=0, workers=0, beat=0)


@contextmanager
def load(service: Stack, folder: Path) -> Iterator[Callable[[], int]]:
    """Play within the block; yields a function for the number of plies acknowledged so far."""
    logs = [folder / f"player{number}" for number in range(PLAYING)]
    players = []
    for number, log in enumerate(logs):
        code = PLAY.format(number=number)
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
        with log.open("w") as output:
            players.append(
                subprocess.Popen(command, cwd=ROOT, env=service.environment, stdout=output)
            )

    def acknowledged() -> int:
        return sum(int(line) for log in logs for line in log.read_text().split("\n")[:-1])

    try:
        wait_for(acknowledged, "Somebody should play.", 120)
        yield acknowledged
        assert all(player.poll() is None for player in players), "The players were disturbed."
    finally:
        for player in players:
            player.kill()
            player.wait()


@pytest.mark.soak
@pytest.mark.servers
def test_backups_made_during_play_are_complete(service: Stack, tmp_path: Path) -> None:
    service.shell(PEOPLE)
    folder, least = tmp_path / "copies", []
    with load(service, tmp_path) as acknowledged:
        for number in range(1, BACKUPS + 1):
            least.append(before := acknowledged())
            # Names of copies are to the second, so two in one folder might have the same.
            service.manage("backup", str(folder / str(number)))
            wait_for(lambda: acknowledged() > before, "They should go on.", 120)
    for number, plies in enumerate(least, 1):
        (manifest,) = (folder / str(number)).glob("*.json")
        contents = json.loads(manifest.read_text())
        assert contents["contents"]["rows"]["play_ply"] >= plies
        output = service.manage("verify_backup", str(manifest.parent / contents["file"]), "--all")
        assert "and their chains are intact" in output
