"""Commands of the arena: matches over pipes, shares with intervals, failure on a forfeit."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.bots.arena.tally import wilson_interval
from games.protocol.reading import read_line
from games.protocol.writing import request_line
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.registry import editions
from games.rules.simulation import random_opening
from tests import tiers

ROOT = Path(__file__).parents[3]


def bots(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "games.bots", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def arena(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return bots("arena", *arguments)


@pytest.mark.soak
def test_levels_play_each_other_and_a_new_process_repeats_them() -> None:
    done = arena("recruit", "random", "assaut", "--games", "2", "--replay")
    assert done.returncode == 0, done.stderr
    assert "forfeits 0  replays differ 0" in done.stdout
    assert " 2 " in done.stdout


@pytest.mark.parametrize(
    ("answer", "printed"),
    tiers.parameters(
        [("nonsense", "forfeit"), ("", "The player has ended."), ("a1-a9", "forfeit")],
        fast=[("", "The player has ended."), ("a1-a9", "forfeit")],
    ),
)
def test_an_unreadable_or_missing_answer_is_a_forfeit(
    tmp_path: Path, answer: str, printed: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import sys\nsys.stdin.readline()\nprint({answer!r}, flush=True)\n")
    done = arena("recruit", f"{sys.executable} {program}", "lattaque-en", "--games", "1")
    assert done.returncode == 1
    assert printed in done.stdout
    assert "100.0 %" in done.stdout


@pytest.mark.soak
@pytest.mark.long
def test_every_edition_is_played_for_forfeits() -> None:
    done = bots("forfeits", "--player", "recruit", "--games", "1", "--plies", "3")
    assert done.returncode == 0, done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines()[:-1]] == [
        rules.key for rules in editions()
    ]
    assert f"0 forfeits in {len(editions())} matches" in done.stdout


def test_a_forfeit_is_printed_with_its_edition_and_fails_the_run(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nsys.stdin.readline()\nprint('nonsense', flush=True)\n")
    done = bots("forfeits", "domino", "--player", f"{sys.executable} {program}", "--games", "2")
    assert done.returncode == 1
    assert "  forfeit, S: " in done.stdout
    assert "2 forfeits in 2 matches" in done.stdout


def test_an_interval_contains_the_share_and_narrows_with_more_games() -> None:
    low, high = wilson_interval(15, 20)
    assert low < 0.75 < high
    assert wilson_interval(150, 200)[0] > low
    assert wilson_interval(20, 20)[1] > 0.999


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
def test_a_line_is_read_as_the_observation_it_was_written_from(rules: Ruleset) -> None:
    position = random_opening(rules, Random(3))
    for seat in Seat:
        seen = observe(rules, position, Viewpoint.of_seat(seat))
        read = read_line(request_line(rules, seen, seat, [], 2.0)).observation
        assert read.pieces == seen.pieces
        assert (read.fallen, read.quiet, read.ply) == (seen.fallen, seen.quiet, seen.ply)
        assert (read.turn, read.to_act, read.phase) == (seen.turn, seen.to_act, seen.phase)
