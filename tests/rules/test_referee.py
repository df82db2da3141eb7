"""Referee on the command line: an answer for each line, never a traceback."""

import json
import subprocess
import sys
from typing import Any

import pytest

from games.rules.referee import answer_line
from tests import tiers

SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
NORTH = "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR"
TACTIQUE = ["2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV", "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"]
EVERYTHING = ["position", "legal", "views", "annotated", "status", "volley"]


def ask(**question: Any) -> dict[str, Any]:
    return answer_line(json.dumps(question).encode())


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "games.rules", *arguments],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_only_requested_keys_are_answered() -> None:
    answer = ask(preset="lattaque-en", setup=[SOUTH, NORTH], want=["status"])
    assert answer == {"status": None}
    assert set(ask(preset="lattaque-en", setup=[SOUTH, NORTH], want=EVERYTHING)) == set(EVERYTHING)
    assert ask(preset="lattaque-en", setup=[SOUTH, NORTH], want=[]) == {}


def test_moves_are_played_and_annotated() -> None:
    answer = ask(
        preset="lattaque-en",
        setup=[SOUTH, NORTH],
        moves=["a4-a6", "a7xa6"],
        want=["position", "annotated", "volley"],
    )
    assert answer == {
        "position": (
            "lfrcrrklk1/gbbjc1serb/elks1rrekr/1ejsy1lsbr/m1~~2~~2/2~~2~~2/"
            "1RR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES S 0 2"
        ),
        "annotated": ["a4-a6", "a7xa6[MvR]+"],
        "volley": None,
    }


def test_an_illegal_move_is_answered_with_its_index() -> None:
    answer = ask(preset="lattaque-en", setup=[SOUTH, NORTH], moves=["a4-a5", "a4-a5"])
    assert answer == {
        "error": "There is no piece on a4; a move begins with one of your pieces.",
        "at": 1,
    }
    answer = ask(
        preset="lattaque-en",
        position="10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 0 10",
        moves=["a3xa4", "a1-a2"],
    )
    assert answer == {"error": "The game is over; nothing more can be played.", "at": 1}


def test_all_faults_of_a_set_up_are_named() -> None:
    answer = ask(preset="lattaque-en", setup=[SOUTH.replace("C", "Y"), NORTH])
    assert answer == {
        "error": "Two Colonels are left to place. Two Spies too many are on the board."
    }


def test_only_tactique_answers_with_an_opening_volley() -> None:
    assert ask(preset="tactique", setup=TACTIQUE, want=["volley"]) == {"volley": ["d6", "c5"]}
    quiet = ask(
        preset="tactique", setup=TACTIQUE, switches={"volley_first": False}, want=["volley"]
    )
    assert quiet == {"volley": []}
    position = "f6c/8/8/8/8/8/8/C6F S 0 0"
    assert ask(preset="tactique", position=position, want=["volley"]) == {"volley": None}


def test_a_finished_game_has_a_status_and_no_legal_moves() -> None:
    answer = ask(
        preset="lattaque-en",
        position="10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 0 10",
        moves=["a3xa4"],
        want=["status", "legal"],
    )
    assert answer == {"status": ["S", "flag captured"], "legal": []}


def test_assaut_accepts_only_the_placement_of_the_officers() -> None:
    answer = ask(preset="assaut", setup=["", "c7,e7"], want=["position"])
    assert answer == {"position": "~~o1o~~/~~3~~/SS3SS/SSSSSSS/SSSSSSS/~~SSS~~/~~SSS~~ S 0 0 0 -"}
    assert "error" in ask(preset="assaut", setup=["c7,e7", "c7,e7"])


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"nope",
        b"null",
        b"[]",
        b"{}",
        b'{"preset": 1}',
        b'{"preset": "chess", "position": ""}',
        b'{"preset": "domino"}',
        b'{"preset": "domino", "setup": ["", ""], "position": ""}',
        b'{"preset": "domino", "setup": "x"}',
        b'{"preset": "domino", "setup": [1, 2]}',
        b'{"preset": "domino", "setup": ["", "", ""]}',
        b'{"preset": "domino", "position": 7}',
        b'{"preset": "domino", "position": "setup - -"}',
        b'{"preset": "domino", "position": "x", "moves": "a1-a2"}',
        b'{"preset": "domino", "position": "x", "want": ["all"]}',
        b'{"preset": "domino", "position": "x", "switches": []}',
        b'{"preset": "domino", "position": "x", "switches": {"limit": 1e400}}',
        b'{"preset": "domino", "position": "x", "switches": {"limit": null}}',
        b'{"preset": "domino", "position": "x", "more": 1}',
        b'{"preset": "\\ud800", "position": "\\ud800"}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 5_000,
        b'{"preset": "domino", "switches": {"limit": ' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"preset": "domino", "position": "x", "switches": {"limit": ' + b"9" * 5_000 + b"}}",
        b'{"preset": "domino", "position": "x", "switches": {"limit": ' + b"9" * 4_000 + b"}}",
    ],
)
def test_an_invalid_line_is_answered_with_a_sentence(line: bytes) -> None:
    answer = answer_line(line)
    assert set(answer) == {"error"}
    assert str(answer["error"]).endswith(".")
    json.dumps(answer).encode("ascii")


def test_a_batch_answers_line_by_line_in_order() -> None:
    good = json.dumps({"preset": "lattaque-en", "setup": [SOUTH, NORTH], "want": ["status"]})
    done = run("--batch", given=f"{good}\nnope\n\n{good}".encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(answer) for answer in answers] == [{"status"}, {"error"}, {"error"}, {"status"}]
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_editions_are_listed() -> None:
    done = run("list")
    assert len(done.stdout.splitlines()) == 22
    assert done.stdout.startswith(b"lattaque-en ")


def test_the_legal_moves_of_a_position_are_listed() -> None:
    done = run("legal", "domino", "8/8/8/8/8/8/8/8/8/[66]7 S 0 0")
    assert done.stdout.split() == [b"a1-a2", b"a1-b1"]
    done = run("legal", "domino", "nonsense")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_record_is_replayed(tmp_path: Any) -> None:
    path = tmp_path / "game.txt"
    path.write_text(
        f'[System "tactique"] [SetupS "{TACTIQUE[0]}"] [SetupN "{TACTIQUE[1]}"]\n1. c4-a4 *\n'
    )
    done = run("replay", str(path))
    assert done.returncode == 0
    assert b"c4-a4" in done.stdout
    path.write_text("nothing")
    assert run("replay", str(path)).returncode == 1
    done = run("replay", str(tmp_path / "none"))
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_game_can_be_played_at_the_keyboard() -> None:
    done = run("play", "domino", "--seed", "1", given=b"nonsense\na3-a4\n")
    assert done.returncode == 0
    assert "“nonsense” is not a move".encode() in done.stdout
    assert b"Traceback" not in done.stderr


def test_random_games_are_counted_and_repeat_with_their_seed() -> None:
    first, second = (
        json.loads(run("simulate", "assaut", "--games", "20", "--seed", "4").stdout)
        for _ in range(2)
    )
    assert first.pop("plies_per_second") > 0
    second.pop("plies_per_second")
    assert first == second
    assert set(first) == {"games", "plies_mean", "plies_sd", "legal_mean", "result", "endings"}
    assert set(first["result"]) == {"S", "O", "draw"}
    assert sum(first["result"].values()) == sum(first["endings"].values()) == first["games"] == 20


@pytest.mark.parametrize(
    "preset", tiers.parameters(["assaut", "lattaque-en"], fast=["lattaque-en"])
)
def test_a_game_too_short_to_be_timed_has_a_finite_speed(preset: str) -> None:
    """The clock of the processor ticks a hundred times a second."""
    for seed in range(3):
        reply = json.loads(run("simulate", preset, "--games", "1", "--seed", str(seed)).stdout)
        assert 0 < reply["plies_per_second"] <= 100 * reply["plies_mean"]


@pytest.mark.parametrize("games", tiers.parameters(["0", "-5", "many"], fast=["0"]))
def test_a_number_of_zero_games_is_refused(games: str) -> None:
    refused = run("simulate", "assaut", f"--games={games}")
    assert refused.returncode == 2
    assert b"is no number of games; write 1 or more." in refused.stderr


def test_without_a_command_help_is_printed() -> None:
    done = run()
    assert done.returncode == 2
    assert b"usage" in done.stdout
