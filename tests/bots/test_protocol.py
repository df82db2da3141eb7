"""The protocol on standard input and output: without Django, the same for every hash seed."""

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


def answers(
    preset: str, level: str, seed: int, lines: list[dict[str, object]], hash_seed: str
) -> str:
    """The answers of a fresh process to lines that are written all at once."""
    command = [sys.executable, "-m", "games.bots", "play", preset, "--seed", str(seed)]
    done = subprocess.run(
        [*command, "--level", level],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.long
# Assaut has a search of its own; all others share theirs.
@pytest.mark.parametrize(
    ("preset", "count"),
    tiers.parameters([("domino", 2), *((preset, 5) for preset in PRESETS)], fast=[("domino", 2)]),
)
def test_the_same_lines_and_seed_give_the_same_answers(preset: str, count: int) -> None:
    played = match(preset, ("sergeant", "marshal"), seed=5, answers=count)
    for seat, level in enumerate(("sergeant", "marshal")):
        lines = played.lines[seat][: len(played.answers[seat])]
        given = [
            answers(preset, level, 5 + seat, [*lines, {"ask": "end"}], hash_seed)
            for hash_seed in ("1", "4711")
        ]
        assert given[0].split("\n")[:-1] == played.answers[seat]
        assert given[0] == given[1]


def test_another_seed_gives_another_match() -> None:
    one, other = (match("lattaque-en", ("recruit", "recruit"), seed, answers=8) for seed in (1, 3))
    assert one.answers != other.answers


def test_a_player_that_gets_the_same_lines_again_gives_the_same_answers() -> None:
    played = match("domino", ("sergeant", "recruit"), seed=2, answers=14)
    lines, given = played.lines[1], played.answers[1]
    for number in (3, 9, 13):
        assert choose(lines[: number + 1], 3, RECRUIT) == given[number]


def test_django_is_not_imported() -> None:
    code = (
        "import sys, games.bots.__main__; "
        "sys.exit(any(name.split('.')[0] in ('django', 'celery', 'redis') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_a_line_contains_no_rank_that_the_seat_has_not_seen() -> None:
    played = match("lattaque-en", ("recruit", "recruit"), seed=4, answers=10)
    for seat, lines in enumerate(played.lines):
        for line in at_least(5, lines[1:]):
            foreign = str.islower if seat == 0 else str.isupper
            assert not any(foreign(sign) for sign in line["board"])


def test_beliefs_are_plain_data() -> None:
    played = match("lattaque-en", ("sergeant", "recruit"), seed=6, answers=12)
    player = Player(6, RECRUIT)
    for line in played.lines[0]:
        player.update(line)
    beliefs = json.loads(json.dumps(player.beliefs()))
    assert len(beliefs) == 36 - len(played.lines[0][-1]["fallen"]["N"])
    assert all(abs(sum(chances.values()) - 1) < 0.02 for chances in beliefs.values())
    assert -1 <= player.evaluate() <= 1


def test_an_error_of_a_brain_is_printed_and_loses_no_match() -> None:
    line = {"ask": "move", "preset": "lattaque-en", "seat": "S", "board": "?", "legal": ["a4-a5"]}
    command = [sys.executable, "-m", "games.bots", "play", "lattaque-en"]
    done = subprocess.run(
        command, input=json.dumps(line) + "\n", capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout == "a4-a5\n"
    assert "Traceback" in done.stderr


def test_an_unknown_preset_is_refused_before_any_line() -> None:
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
