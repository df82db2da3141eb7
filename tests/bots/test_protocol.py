"""The protocol on standard input and output: without Django, alike under any order of hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.bots.levels import RECRUIT
from games.bots.player import Player, choose
from tests import tiers
from tests.bots.seats import match
from tests.floors import at_least

ROOT = Path(__file__).parents[2]
PRESETS = ["lattaque-zh", "domino", "tactique-convert", "assaut"]


def answers(preset: str, level: str, seed: int, lines: list[dict[str, object]], hashes: str) -> str:
    """What a fresh process says to some lines, all written at once."""
    command = [sys.executable, "-m", "games.bots", "play", preset, "--seed", str(seed)]
    done = subprocess.run(
        [*command, "--level", level],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hashes},
        check=True,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("preset", tiers.editions())
def test_the_same_lines_and_seed_give_the_same_answers(preset: str) -> None:
    played = match(preset, ("sergeant", "marshal"), seed=5, answers=5)
    for seat, level in enumerate(("sergeant", "marshal")):
        lines = played.told[seat][: len(played.answers[seat])]
        said = [
            answers(preset, level, 5 + seat, [*lines, {"ask": "end"}], hashes)
            for hashes in ("1", "4711")
        ]
        assert said[0].split("\n")[:-1] == played.answers[seat]
        assert said[0] == said[1]


def test_another_seed_gives_another_match() -> None:
    one, other = (match("lattaque-en", ("recruit", "recruit"), seed, answers=8) for seed in (1, 3))
    assert one.answers != other.answers


def test_a_player_that_hears_a_match_again_answers_alike() -> None:
    played = match("domino", ("sergeant", "recruit"), seed=2, answers=14)
    lines, said = played.told[1], played.answers[1]
    for number in (3, 9, 13):
        assert choose(lines[: number + 1], 3, RECRUIT) == said[number]


def test_nothing_of_django_is_imported() -> None:
    code = (
        "import sys, games.bots.__main__; "
        "sys.exit(any(name.split('.')[0] in ('django', 'celery', 'redis') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_a_line_holds_no_rank_that_the_seat_was_not_told() -> None:
    played = match("lattaque-en", ("recruit", "recruit"), seed=4, answers=10)
    for seat, lines in enumerate(played.told):
        for line in at_least(5, lines[1:]):
            foreign = str.islower if seat == 0 else str.isupper
            assert not any(foreign(sign) for sign in line["board"])


def test_a_player_tells_what_it_believes_as_plain_data() -> None:
    played = match("lattaque-en", ("sergeant", "recruit"), seed=6, answers=12)
    player = Player(6, RECRUIT)
    for line in played.told[0]:
        player.hear(line)
    believed = json.loads(json.dumps(player.believes()))
    assert len(believed) == 36 - len(played.told[0][-1]["fallen"]["N"])
    assert all(abs(sum(chances.values()) - 1) < 0.02 for chances in believed.values())
    assert -1 <= player.evaluate() <= 1


def test_a_fault_of_a_brain_is_told_and_loses_no_match() -> None:
    line = {"ask": "move", "preset": "lattaque-en", "seat": "S", "board": "?", "legal": ["a4-a5"]}
    command = [sys.executable, "-m", "games.bots", "play", "lattaque-en"]
    done = subprocess.run(
        command, input=json.dumps(line) + "\n", capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout == "a4-a5\n"
    assert "Traceback" in done.stderr


def test_a_preset_that_does_not_exist_is_refused_before_any_line() -> None:
    command = [sys.executable, "-m", "games.bots", "play", "NOSUCHPRESET"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.wait(60) == 2
        assert process.stdout and process.stderr
        assert process.stdout.read() == ""
        assert "There are no rules called NOSUCHPRESET; there are lattaque-en," in (
            process.stderr.read()
        )
