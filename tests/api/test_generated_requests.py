"""Requests that schemathesis generates from the document, valid and not: all responses match it.

All its checks but one: a text that fits the schema need not be a legal move.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack import Stack

pytestmark = [pytest.mark.servers, pytest.mark.long]

PROGRAM = Path(sys.executable).with_name("schemathesis")
MAX_SECONDS = 600
OPTIONS = {
    "--checks": "all",
    "--exclude-checks": "positive_data_acceptance",
    # The cases that cover each schema are made in any case.
    "--max-examples": "4",
    "--phases": "examples,coverage,fuzzing",
}
# Matches and invitations of Alice, and a token of hers.
PREPARE = """
from accounts.tokens import making
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.play.terms import Terms
from tests.play import match_helpers
who = match_helpers.people()
match_helpers.finished_match(who)
match_helpers.new_match(who)
lobby.offer(who.bob, Terms("assaut"), kind=InvitationKind.SEAT)
lobby.offer(who.bob, Terms("assaut"), kind=InvitationKind.CHALLENGE, guest=who.alice)
print(making.create(who.alice, "test", making.SCOPES).text)
"""


def test_every_answer_is_as_documented(tmp_path: Path) -> None:
    with Stack(workers=0, beat=0, extra={"API_LIMITS": "off", "ACCESS_LOG": "false"}) as service:
        token = service.shell(PREPARE).splitlines()[-1]
        command = [
            *(str(PROGRAM), "run", f"{service.url().rstrip('/')}/api/v1/openapi.json"),
            *("--header", f"Authorization: Bearer {token}", "--generation-deterministic"),
            *(part for option in OPTIONS.items() for part in option),
        ]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=MAX_SECONDS
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tested: " in done.stdout
