"""Generates the tables and pictures of docs/games from the rules, as Markdown and SVG files.

The text between `<!-- table: battles -->` or `<!-- picture: scout -->` and `<!-- end -->` is
generated; the rest of a page is written by hand.
"""

import re
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from games.guide.game_pages.pictures import pictures
from games.guide.game_pages.tables import Head, Table, tables
from games.play.pictures.drawings import svg
from games.presentation.pictures import Pictures
from games.rules import registry

PAGES = Path(settings.BASE_DIR, "docs/games")
PICTURES = Path(settings.BASE_DIR, "docs/pictures")
PART = re.compile(r"<!-- (table|picture): (\w+) -->\n(?:(?!<!-- ).)*<!-- end -->", re.DOTALL)


def files() -> dict[Path, str]:
    """All files with generated parts: path to expected text."""
    texts = {}
    with override("en"):
        for family in registry.games:
            page = PAGES / f"{family}.md"
            if not page.exists():
                continue
            drawings, data = pictures(family), tables(family, keyed=True)
            texts[page] = _filled(family, page.read_text(encoding="utf-8"), drawings, data)
            texts |= {_file(family, name): svg(drawing) for name, drawing in drawings.items()}
    return texts


def _file(family: str, name: str) -> Path:
    return PICTURES / f"{family}-{name}.svg"


def _filled(family: str, text: str, drawings: Pictures, data: dict[str, Table]) -> str:
    """A page with its generated parts replaced."""

    def generated(part: re.Match[str]) -> str:
        kind, name = part.groups()
        if kind == "table":
            body = _markdown(data[name])
        else:
            body = f"![{drawings[name].caption}](../pictures/{_file(family, name).name})\n"
        return f"<!-- {kind}: {name} -->\n{body}<!-- end -->"

    return PART.sub(generated, text)


def _markdown(table: Table) -> str:
    rows = [
        [head.short for head in table.heads],
        ["---"] * len(table.heads),
        *([_row_head(head), *cells] for head, cells in table.rows),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row_head(head: Head) -> str:
    return f"**{head.short}** {head.full}".rstrip()
