"""Tables and pictures of docs/games match the rules."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings

from games.guide.game_pages import generated_docs
from games.play.pictures.board_lines import lines as drawn_lines
from games.rules import registry
from tests.floors import at_least

FILES = generated_docs.files()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path: Path) -> None:
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    assert kept == FILES[path], f"{path.name} is out of date; write it anew with: make docs"


def test_every_picture_is_used_and_no_other_exists() -> None:
    drawn = {path.name for path in FILES if path.suffix == ".svg"}
    shown = {
        name
        for path, text in FILES.items()
        if path.suffix == ".md"
        for name in re.findall(r"\(\.\./pictures/([\w-]+\.svg)\)", text)
    }
    assert drawn == shown == {path.name for path in generated_docs.PICTURES.glob("*.svg")}


@pytest.mark.parametrize("family", registry.games)
def test_a_page_lists_every_edition_and_every_battle(family: str) -> None:
    page = FILES[generated_docs.PAGES / f"{family}.md"]
    parts = set(re.findall(r"<!-- table: (\w+) -->", page))
    assert {"editions", "options"} <= parts
    assert "battles" in parts or not registry.games[family][0].hidden
    editions = at_least(1, registry.games[family])
    assert all(f"| {rules.key} |" in page for rules in editions)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".svg"])
def test_a_picture_is_self_contained(path: Path) -> None:
    """No external style sheet, script or file; every symbol that it uses is included."""
    root = ElementTree.fromstring(FILES[path])
    assert root.findtext(f"{SVG}title")
    ids = {node.get("id") for node in root.iter(f"{SVG}symbol")}
    used = {node.get("href") for node in root.iter(f"{SVG}use")}
    assert used == {f"#{name}" for name in ids}
    assert "http" not in FILES[path].replace("http://www.w3.org/2000/svg", "")


def test_the_lines_of_the_board_match_the_rules() -> None:
    """static/svg/assaut.svg, the background of Assaut boards, has the same 72 lines."""
    rules = registry.ruleset("assaut")
    drawing = (settings.BASE_DIR / "static/svg/assaut.svg").read_text(encoding="utf-8")
    strokes = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", drawing)
    lines = set()
    for stroke in strokes:
        x, y, to_x, to_y = (int(number) // 2 for number in stroke)
        east, south = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        while (x, y) != (to_x, to_y):
            ends = [f"{'abcdefg'[a]}{7 - b}" for a, b in ((x, y), (x + east, y + south))]
            lines.add(tuple(sorted(ends)))
            x, y = x + east, y + south
    assert lines == set(drawn_lines(rules))
    assert len(lines) == 72
    assert {end for line in lines for end in line} == set(
        filter(rules.board.playable, rules.board.squares)
    )
