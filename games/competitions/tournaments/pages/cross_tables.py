"""Cross tables as templates show them: a row a player, a cell an opponent."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games.competitions.ranking.signs import OPEN
from games.competitions.ranking.tables import values
from games.competitions.tournaments.models import Pairing
from games.competitions.tournaments.tables import GroupTable, Row


class Sign(NamedTuple):
    """A sign of a cell, with the page of its match; "" before it is opened."""

    text: str
    link: str
    label: str  # for screen readers: the sign, and the match


class Cell(NamedTuple):
    """A cell: the lot and the name of the opponent; without signs on the diagonal."""

    lot: int
    opponent: str
    signs: list[Sign]


class Shown(NamedTuple):
    """A row of a cross table."""

    lot: int
    player: str
    withdrawn: bool
    qualified: bool
    place: int | None
    numbers: list[tuple[str, object]]  # heading and value
    cells: list[Cell]


class ShownGroup(NamedTuple):
    """A group as the page shows it."""

    title: str
    lots: list[int]
    rows: list[Shown]
    seed: str


def shown(group: GroupTable, *, is_final: bool) -> ShownGroup:
    """A group in the order of its places."""
    names = {row.lot.number: str(row.lot.entry.user) for row in group.rows}
    title = _("Final") if is_final else _("Group %(number)s") % {"number": group.group.number}
    rows = [_row(row, names) for row in group.rows]
    return ShownGroup(title, sorted(names), rows, group.group.stage.seed)


def _row(row: Row, names: dict[int, str]) -> Shown:
    given = values(row.line)
    headings = {
        "points": _("Points"),
        "direct": _("Direct"),
        "sb": _("Sonneborn-Berger"),
        "wins": _("Wins"),
    }
    cells = [
        Cell(lot, names[lot], [] if pairing is None else _signs(row, pairing))
        for lot, pairing in enumerate(row.cells, 1)
    ]
    return Shown(
        lot=row.lot.number,
        player=names[row.lot.number],
        withdrawn=given["status"] != "in",
        qualified=row.lot.qualified,
        place=row.line.place,
        numbers=[
            (heading, "–" if given[name] is None else given[name])
            for name, heading in headings.items()
        ],
        cells=cells,
    )


def _signs(row: Row, pairing: Pairing) -> list[Sign]:
    """The signs of a cell; of a set the match in which the row's player sits South comes first."""
    first = pairing.match
    ids = [] if first is None else [first.pk, *([first.twin_id] if first.twin_id else [])]
    if pairing.south_id != row.lot.pk:
        ids.reverse()
    texts = row.sign(pairing)
    if not ids:
        return [Sign("·", "", "") if text == OPEN else Sign(text, "", "") for text in texts]
    return [_linked("·" if text == OPEN else text, pk) for text, pk in zip(texts, ids, strict=True)]


def _linked(text: str, match_id: int) -> Sign:
    match = _("Match %(number)s") % {"number": match_id}
    return Sign(text, reverse("play:match", args=[match_id]), f"{text}, {match}")
