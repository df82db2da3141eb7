"""docs/api/first-bot.md: its curl lines and its program do what the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

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


def test_the_program_has_about_thirty_lines() -> None:
    (program,) = blocks("python")
    assert len([line for line in program.splitlines() if line]) <= 32


@pytest.mark.skipif(shutil.which("curl") is None, reason="There is no curl on this machine.")
def test_its_program_and_its_curl_lines_work(tmp_path: Path) -> None:
    (text,) = blocks("python")
    waiting, lines, move, answer = blocks("sh")
    program = tmp_path / "bot.py"
    program.write_text(text)
    with service.playing() as (stack, alice, bob):
        url = stack.url().rstrip("/")
        body = {"preset": "lattaque-en", "guest": "Bob", "seat": "S"}
        alice.post("/invitations", body)

        def run() -> None:
            """Run the program as Bob's."""
            environment = os.environ | {"ESTAFETTE_URL": url, "ESTAFETTE_TOKEN": bob.token}
            subprocess.run([sys.executable, program], env=environment, check=True)

        run()
        (turn,) = alice.read("/waiting")["matches"]
        match = turn["match"]
        alice.post(f"/matches/{match}/setup", {"setup": SOUTH})
        variables = {"URL": url, "TOKEN": alice.token, "MATCH": str(match)}
        assert json.loads(shell(waiting, **variables))["matches"][0]["ply"] == 2
        (line,) = map(json.loads, shell(lines, **variables).splitlines())
        assert line["at"] == 2 and "a4-a5" in line["legal"]
        assert shell(answer, **variables).strip() in line["legal"]
        for _ in range(2):
            assert json.loads(shell(move, **variables))["ply"] == 3
        run()
        assert alice.read(f"/matches/{match}")["ply"] == 4
