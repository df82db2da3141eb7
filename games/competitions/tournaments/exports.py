"""Tournaments as CSV: the tables, and a row for each match."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import TextIO

from games.competitions.ranking.tables import values
from games.competitions.tournaments.models import Pairing, Tournament
from games.competitions.tournaments.tables import GroupTable, groups_of

TABLE = (
    *("tournament", "stage", "group", "place", "lot", "player", "points", "direct", "sb", "wins"),
    *("status", "qualified"),
)
PAIRINGS = (
    *("tournament", "stage", "group", "round", "board", "south", "north", "south_lot"),
    *("north_lot", "match", "twin", "sign_south", "sign_north", "seed"),
)
NUMBERS = ("points", "direct", "sb", "wins")


def write_table(tournament: Tournament, file: TextIO) -> None:
    """Write a line for each player of each group, by place; players are u<id>."""
    out = csv.writer(file, lineterminator="\n")
    out.writerow(TABLE)
    for group in groups_of(tournament):
        for row in group.rows:
            given = values(row.line)
            start = (*_of_group(tournament, group), given["place"])
            player = (row.lot.number, f"u{row.lot.entry.user_id}")
            numbers = (given[name] for name in NUMBERS)
            out.writerow([*start, *player, *numbers, given["status"], int(row.lot.qualified)])


def write_pairings(tournament: Tournament, file: TextIO) -> None:
    """Write a row for each match, opened or not, by round and board."""
    out = csv.writer(file, lineterminator="\n")
    out.writerow(PAIRINGS)
    for group in groups_of(tournament):
        lots = {row.lot.pk: row.lot for row in group.rows}
        for pairing in group.pairings:
            both = [lots[pairing.south_id], lots[pairing.north_id]]
            for numbers, second, signs in _matches(pairing):
                south, north = reversed(both) if second else both
                out.writerow(
                    [
                        *(*_of_group(tournament, group), pairing.round, pairing.board),
                        *(f"u{south.entry.user_id}", f"u{north.entry.user_id}"),
                        *(south.number, north.number, *numbers, *signs),
                        group.group.stage.seed,
                    ]
                )


def _of_group(tournament: Tournament, group: GroupTable) -> tuple[int, int, int]:
    return tournament.pk, group.group.stage.number, group.group.number


def _matches(pairing: Pairing) -> Iterator[tuple[tuple[object, object], bool, str]]:
    """Each match: its number and that of its twin, if sides are swapped, and signs."""
    match = pairing.match
    twin = None if match is None else match.twin_id
    first = "" if match is None else match.pk
    yield (first, twin or ""), False, pairing.signs[:2]
    if len(pairing.signs) > 2:
        yield (twin or "", first), True, pairing.signs[:1:-1]
