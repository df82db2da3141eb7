"""Generator of the tables and pictures in docs/games: Markdown, and SVG files beside it.

A page is written by hand but for what stands between `<!-- table: battles -->` or
`<!-- picture: scout -->` and `<!-- end -->`; that is made from the rules.
"""

import re
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from games.guide.game_pages.pictures import pictures
from games.guide.game_pages.svg import svg
from games.guide.game_pages.tables import Head, Table, tables
from games.presentation.pictures import Pictures
from games.rules import registry

PAGES = Path(settings.BASE_DIR, "docs/games")
PICTURES = Path(settings.BASE_DIR, "docs/pictures")
PART = re.compile(r"<!-- (table|picture): (\w+) -->\n(?:(?!<!-- ).)*+<!-- end -->", re.DOTALL)


def files() -> dict[Path, str]:
    """Every file of the documentation that has generated parts, with the text it should have."""
    found = {}
    with override("en"):
        for family in registry.games:
            page = PAGES / f"{family}.md"
            if not page.exists():
                continue
            drawn, told = pictures(family), tables(family, keyed=True)
            found[page] = _filled(family, page.read_text(encoding="utf-8"), drawn, told)
            found |= {_file(family, name): svg(one) for name, one in drawn.items()}
    return found


def _file(family: str, name: str) -> Path:
    return PICTURES / f"{family}-{name}.svg"


def _filled(family: str, text: str, drawn: Pictures, told: dict[str, Table]) -> str:
    """A page with its generated parts as the rules have them."""

    def part(found: re.Match[str]) -> str:
        kind, name = found.groups()
        if kind == "table":
            body = _markdown(told[name])
        else:
            body = f"![{drawn[name].caption}](../pictures/{_file(family, name).name})\n"
        return f"<!-- {kind}: {name} -->\n{body}<!-- end -->"

    return PART.sub(part, text)


def _markdown(table: Table) -> str:
    rows = [
        [head.short for head in table.heads],
        ["---"] * len(table.heads),
        *([_row_head(head), *cells] for head, cells in table.rows),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row_head(head: Head) -> str:
    return f"**{head.short}** {head.full}".rstrip()
