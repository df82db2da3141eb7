"""Requests that schemathesis makes of the document, valid and invalid: no answer departs from it.

All its checks but one: a text that fits the schema need not be a legal move.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.tokens import making
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.play.models.match import Match
from games.play.terms import Terms
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.long

PROGRAM = Path(sys.executable).with_name("schemathesis")
MAX_SECONDS = 300
OPTIONS = {
    "--checks": "all",
    "--exclude-checks": "positive_data_acceptance",
    # The cases that cover each schema are made in any case.
    "--max-examples": "4",
    "--phases": "examples,coverage,fuzzing",
}


def test_every_answer_is_as_documented(
    live_server: LiveServer,
    apart: None,
    who: People,
    match: Match,
    alice: User,
    settings: Settings,
    tmp_path: Path,
) -> None:
    settings.API_LIMITS = {}
    settings.ACCESS_LOG = False
    match_helpers.finished_match(who)
    lobby.offer(who.bob, Terms("assaut"), kind=InvitationKind.SEAT)
    lobby.offer(who.bob, Terms("assaut"), kind=InvitationKind.CHALLENGE, guest=alice)
    token = making.create(alice, "test", making.SCOPES).text
    command = [
        *(str(PROGRAM), "run", f"{live_server.url}/api/v1/openapi.json"),
        *("--header", f"Authorization: Bearer {token}", "--generation-deterministic"),
        *(part for option in OPTIONS.items() for part in option),
    ]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=MAX_SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tested: " in done.stdout
