"""Template context of a game's page: pictures and tables, cached per language."""

from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.guide.game_pages.pictures import pictures
from games.guide.game_pages.tables import Table, tables
from games.play.board.boards import table
from games.play.board.pieces import emblem
from games.play.pictures import drawings
from games.presentation.pictures import Picture
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset


class Line(NamedTuple):
    """A line of the list of pieces."""

    emblem: SafeString
    letter: str
    name: str
    number: int


class GamePage(NamedTuple):
    """The contents of a game's page; pictures are HTML, by name."""

    family: str
    rules: Ruleset
    title: str
    army: list[Line]
    pictures: dict[str, SafeString]
    tables: dict[str, Table]


@lru_cache(maxsize=64)
def game_page(family: str, language: str) -> GamePage:
    """The page of a game; `language` is the active language, as the cache key."""
    rules = registry.games[family][0]
    return GamePage(
        family,
        rules,
        _(rules.title),
        _army(rules),
        {name: _shown(family, name, each) for name, each in pictures(family).items()},
        tables(family),
    )


@lru_cache(maxsize=256)
def drawing(family: str, name: str, language: str) -> str | None:
    """A picture as an SVG file; None if there is no such picture."""
    picture = pictures(family).get(name) if family in registry.games else None
    return drawings.svg(picture) if picture else None


def _shown(family: str, name: str, picture: Picture) -> SafeString:
    """A picture on a page: an HTML board, or an SVG file if it has arrows."""
    if not picture.arrows:
        return table(picture.rules, picture.pieces, caption=picture.caption, marks=picture.marks)
    return format_html(
        '<figure class="drawn"><img src="{}" alt="" width="{}" height="{}" loading="lazy">'
        "<figcaption>{}</figcaption></figure>",
        reverse("help_picture", args=[family, name]),
        *drawings.size(picture),
        picture.caption,
    )


def _army(rules: Ruleset) -> list[Line]:
    """A line per kind of piece."""
    return [
        Line(
            emblem(rules, _side(rules, troop.rank), troop.rank),
            troop.rank,
            _(troop.name),
            troop.number,
        )
        for troop in rules.army
    ]


def _side(rules: Ruleset, rank: str) -> Seat:
    """The seat that has the piece: South, unless only North has it."""
    southern = rules.face(Seat.SOUTH, rank, False) in rules.faces
    return Seat.SOUTH if southern else Seat.NORTH
