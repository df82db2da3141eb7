"""docs/api/first-bot.md: its curl lines and its program do what the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.api.playing import service

pytestmark = pytest.mark.long

PAGE = Path(settings.BASE_DIR) / "docs" / "api" / "first-bot.md"
SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"


def blocks(language: str) -> list[str]:
    fenced = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert fenced
    return fenced


def shell(text: str, **variables: str) -> str:
    folder = Path(sys.executable).parent
    environment = os.environ | variables | {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["/bin/sh", "-c", text],
        capture_output=True,
        text=True,
        cwd=settings.BASE_DIR,
        env=environment,
        check=True,
    )
    return done.stdout


def test_the_program_has_about_forty_lines() -> None:
    (program,) = blocks("python")
    assert len([line for line in program.splitlines() if line]) <= 42


@pytest.mark.skipif(shutil.which("curl") is None, reason="There is no curl on this machine.")
def test_its_program_and_its_curl_lines_work(tmp_path: Path) -> None:
    (text,) = blocks("python")
    waiting, lines, move, answer = blocks("sh")
    program = tmp_path / "bot.py"
    program.write_text(text)
    with service.playing() as (stack, alice, bob):
        url = stack.url().rstrip("/")

        def run() -> str:
            """Run the program as Bob's; its complaints."""
            environment = os.environ | {"ESTAFETTE_URL": url, "ESTAFETTE_TOKEN": bob.token}
            command = [sys.executable, str(program)]
            done = subprocess.run(command, env=environment, check=True, capture_output=True)
            return done.stderr.decode()

        # What it cannot play: turns and a challenge with other rules or of another edition.
        others: dict[str, Any] = {"preset": "lattaque-en", "switches": {"board": "9x10"}}
        service.begin(alice, bob, **others)
        service.begin(alice, bob, "tactique")
        left = alice.post("/invitations", {"guest": "Bob", **others})["invitation"]
        assert run() == "" and alice.read(f"/invitations/{left}")["status"] == "open"

        # A challenge that it cannot accept, since its key was used, does not keep it from another.
        body = {"preset": "lattaque-en", "guest": "Bob", "seat": "S"}
        played, refused = (alice.post("/invitations", body)["invitation"] for _ in range(2))
        bob.post(f"/invitations/{left}/decline", key=f"accept-{refused}")
        assert "key-reused" in run()
        assert alice.read(f"/invitations/{refused}")["status"] == "open"
        match = alice.read(f"/invitations/{played}")["match"]
        alice.post(f"/matches/{match}/setup", {"setup": SOUTH})
        variables = {"URL": url, "TOKEN": alice.token, "MATCH": str(match)}
        turns = json.loads(shell(waiting, **variables))["matches"]
        assert [each["ply"] for each in turns if each["match"] == match] == [2]
        (line,) = map(json.loads, shell(lines, **variables).splitlines())
        assert line["at"] == 2 and "a4-a5" in line["legal"]
        assert shell(answer, **variables).strip() in line["legal"]
        for _ in range(2):
            assert json.loads(shell(move, **variables))["ply"] == 3
        assert "key-reused" in run()
        assert alice.read(f"/matches/{match}")["ply"] == 4
