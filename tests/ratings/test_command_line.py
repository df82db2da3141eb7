"""`python -m games.ratings`: answers, tables, and sentences for bad input."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.ratings.__main__ import main
from games.ratings.glicko import tables

PAPER = {
    "player": [1500, 200, 0.06],
    "results": [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]],
    "periods": 1,
}
ROW = "1,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z,ann,ben,1,10,board,,0"


def run(*arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "games.ratings", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def rated(tmp_path: Path, *rows: str, header: str = ",".join(tables.COLUMNS)) -> str:
    path = tmp_path / "season.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return str(path)


def test_update_answers_each_line() -> None:
    lines = [json.dumps(PAPER), json.dumps({"player": [1500, 200, 0.06], "periods": 0})]
    done = run("update", given="\n".join(lines))
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["player"] == pytest.approx([1464.0507, 151.5165, 0.0599960], abs=0.0001)
    assert second["player"] == [1500, 200, 0.06]


def test_rate_prints_the_table(tmp_path: Path) -> None:
    second = ROW.replace("1,2026-01-01", "2,2026-01-02", 1).replace("ben", "cat")
    done = run("rate", rated(tmp_path, second, ROW))
    assert done.stderr == ""
    header, *rows = [line.split(",") for line in done.stdout.splitlines()]
    assert tuple(header) == tables.HEADER
    assert [row[0] for row in rows] == ["1", "2"]
    line = dict(zip(header, rows[0], strict=True))
    assert line["counted"] == "1"
    assert line["a_before_rating"] == "1500.000000"
    assert float(line["a_after_rating"]) > 1500 > float(line["b_after_rating"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (ROW.replace("board", "luck"), "how is 'luck'"),
        (ROW.replace(",1,10", ",0.3,10"), "score is '0.3'"),
        (ROW.replace("ben", "ann"), "the same player"),
        (ROW.replace("1,2026", "x,2026", 1), "number is 'x'"),
        (ROW.replace("2026-01-01T00:00:00Z", "soon", 1), "finished_at is 'soon'"),
        (f"{ROW}\n{ROW}", "Two rows have the number 1"),
        (f"{ROW}\n{ROW.replace('1,2026', '2,2025').replace('2026', '2025')}", "is earlier than"),
    ],
)
def test_a_bad_table_is_a_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str, words: str
) -> None:
    assert main(["rate", rated(tmp_path, wrong)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err


def test_a_binary_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"number\xff")
    done = run("rate", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The input is no text in UTF-8.\n"


def test_a_missing_column_is_reported(tmp_path: Path) -> None:
    done = run("rate", rated(tmp_path, header="number,a,b"))
    assert done.returncode == 2
    assert "lacks the columns" in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "[]",
        '{"player": [1, 2]}',
        '{"player": [1500, 0, 0.06]}',
        '{"player": [1500, 350, -1]}',
        '{"player": [1e400, 350, 0.06]}',
        '{"player": [1500, 350, 0.06], "results": [[1500, 350, 2]]}',
        '{"player": [1500, 350, 0.06], "periods": -1}',
        '{"player": [1500, true, 0.06]}',
        '{"player": [1500, 200, 1e-300], "results": [[1400, 30, 1]]}',
        '{"player": [1500, 1e-200, 0.06], "results": [[1400, 30, 1]], "periods": 0}',
        '{"player": [1500, 200, 0.06], "results": [[100000, 30, 0]]}',
        f'{{"player": [{"9" * 400}, 350, 0.06]}}',
    ],
)
def test_a_bad_line_is_a_sentence_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    assert main(["update"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("Line 1")


def test_a_process_that_gets_a_bad_line_exits_with_2() -> None:
    done = run("update", given="hello")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Line 1")
    assert "Traceback" not in done.stderr
