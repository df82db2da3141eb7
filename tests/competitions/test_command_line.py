"""`python -m games.competitions`: rounds, groups, tables, and sentences for bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.competitions.__main__ import main
from tests import tiers

ENTRIES = [{"user": 17, "rating": 1612}, {"user": 4, "rating": 1500}, {"user": 9, "rating": 1701}]
GROUPS = {"size": 6, "grouping": "even", "seed": "s", "entries": ENTRIES}
TABLE = {"matches": 1, "players": ["a", "b"], "withdrawn": [], "cross": ["* 1", "0 *"]}


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "games.competitions", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def with_file(tmp_path: Path, command: str, given: Any) -> "subprocess.CompletedProcess[str]":
    return run(command, str(written(tmp_path, given)))


def written(folder: Path, given: Any) -> Path:
    path = folder / "given.json"
    path.write_text(given if isinstance(given, str) else json.dumps(given))
    return path


def test_pair_prints_one_line_per_round() -> None:
    assert run("pair", "4").stdout == "1: 1-4 2-3\n2: 4-3 1-2\n3: 2-4 3-1\n"


def test_groups_are_lists_of_users(tmp_path: Path) -> None:
    (group,) = json.loads(with_file(tmp_path, "groups", GROUPS).stdout)["groups"]
    assert sorted(group) == [4, 9, 17]


def test_a_table_is_a_list_of_lines(tmp_path: Path) -> None:
    first, second = json.loads(with_file(tmp_path, "table", TABLE).stdout)
    assert first == {
        "place": 1,
        "player": "a",
        "points": "1",
        "direct": "0",
        "sb": "0",
        "wins": 1,
        "status": "in",
    }
    assert second["player"] == "b"


@pytest.mark.parametrize(
    ("command", "given", "says"),
    [
        ("groups", "{", "no JSON"),
        ("groups", [], "no object"),
        ("groups", {**GROUPS, "size": 2}, "size is"),
        ("groups", {**GROUPS, "grouping": "odd"}, "grouping is one of"),
        ("groups", {**GROUPS, "grouping": []}, "grouping is one of"),
        ("groups", {**GROUPS, "seed": ""}, "seed is"),
        ("groups", {**GROUPS, "entries": []}, "entries is"),
        ("groups", {**GROUPS, "entries": [*ENTRIES, ENTRIES[0]]}, "two entries"),
        ("groups", {**GROUPS, "entries": [{"user": 1}]}, "rating is"),
        ("groups", {**GROUPS, "entries": [3]}, "user is"),
        ("table", {**TABLE, "matches": 3}, "matches is"),
        ("table", {**TABLE, "players": ["a", "a"]}, "twice"),
        ("table", {**TABLE, "withdrawn": ["c"]}, "none of the players"),
        ("table", {**TABLE, "cross": ["* 1"]}, "list of 2 rows"),
        ("table", {**TABLE, "cross": ["* 1", "1 *"]}, "cannot face"),
        ("table", {**TABLE, "cross": ["* x", "0 *"]}, "as cell 2"),
        ("table", {**TABLE, "cross": ["1 1", "0 *"]}, "diagonal"),
        ("table", {**TABLE, "cross": ["* 1 1", "0 *"]}, "3 cells"),
        ("table", "[" * 200_000, "no JSON"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, given: Any, says: str
) -> None:
    path = written(tmp_path, given)
    assert main([command, str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err


def test_a_process_that_refuses_its_input_exits_with_2(tmp_path: Path) -> None:
    done = with_file(tmp_path, "groups", "{")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no JSON" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    tiers.parameters(
        [["pair", "1"], ["pair", "x"], ["pair", "101"], [], ["go"]], fast=[["pair", "x"], []]
    ),
)
def test_bad_arguments_are_refused(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr and "Traceback" not in done.stderr


def test_a_missing_file_is_named() -> None:
    done = run("table", "/nowhere.json")
    assert done.returncode == 2
    assert "/nowhere.json" in done.stderr
