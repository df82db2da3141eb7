"""What a part of a soak found goes into the docs, in place of what it found the last time."""

from pathlib import Path

import pytest

from tests.soak.__main__ import BEGIN, END, HEAD, with_row
from tests.soak.parts import Part

PAGE = f"# Exactness\n\n{BEGIN}\nIt has not been run.\n{END}\n\n## More\n"


def part(name: str, minutes: float) -> Part:
    return Part(name, f"all of {name}", [], seconds=60 * minutes, code=0)


def rows(page: str) -> list[list[str]]:
    table = page.partition(BEGIN)[2].partition(END)[0].strip()
    assert table.startswith(HEAD)
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def test_a_part_replaces_its_own_row_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.soak.parts.LOGS", tmp_path)
    (tmp_path / "chaos.log").write_text("7 passed in 3.2s\n")
    (tmp_path / "fresh.log").write_text("1 failed, 6 passed in 9.9s\n")
    page = PAGE
    for one in (part("chaos", 1), part("fresh", 2), part("chaos", 3)):
        page = with_row(page, one)
    assert page.startswith("# Exactness\n") and page.endswith("\n## More\n")
    assert [(row[0], row[2], row[3]) for row in rows(page)] == [
        ("chaos", "7 passed in 3.2s", "3.0"),
        ("fresh", "1 failed, 6 passed in 9.9s", "2.0"),
    ]
