"""A person's entries in tournaments with their results, for the export of data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from games.competitions.ranking.tables import values as of_line
from games.competitions.tournaments.models import Entry
from games.competitions.tournaments.tables import GroupTable, Row, groups_of
from lib.exports.files import in_batches, values
from lib.exports.parts import WITHOUT_MEANING, Exported

if TYPE_CHECKING:
    from accounts.models import User

FILE = "events.json"
COLUMNS = ("tournament", "status", "entered_at", "rating", "withdrawn_at", "why", "reason")
PUBLIC = "It is public: the page of the tournament has it."


def entries(user: User) -> Iterator[dict[str, Any]]:
    """Each entry, with the person's row in the table of each of their groups."""
    own_entries = Entry.objects.filter(user=user).select_related("tournament").order_by("pk")
    for entry in in_batches(own_entries):
        groups = [
            _of_group(group, row)
            for group in groups_of(entry.tournament)
            for row in group.rows
            if row.lot.entry_id == entry.pk
        ]
        yield values(entry, COLUMNS) | {"title": entry.tournament.title, "groups": groups}


def _of_group(group: GroupTable, own: Row) -> dict[str, Any]:
    names = {row.lot.pk: row.lot.entry.user.username for row in group.rows}
    place = of_line(own.line)
    del place["player"]
    return {
        "stage": group.group.stage.number,
        "group": group.group.number,
        "lot": own.lot.number,
        "qualified": own.lot.qualified,
        "won": own.lot.won,
        **place,
        "pairings": [
            {
                "round": pairing.round,
                "board": pairing.board,
                "opponent": names[
                    pairing.north_id if pairing.south_id == own.lot.pk else pairing.south_id
                ],
                "match": pairing.match_id,
                "twin": pairing.match.twin_id if pairing.match else None,
                "signs": own.sign(pairing),
            }
            for pairing in group.pairings
            if own.lot.pk in (pairing.south_id, pairing.north_id)
        ],
    }


MODELS = {
    "competitions.Entry": Exported(
        FILE, COLUMNS, {"id": WITHOUT_MEANING, "user": "It is the person."}
    ),
    "competitions.Lot": Exported(
        FILE,
        ("group", "number", "qualified", "won"),
        {"id": WITHOUT_MEANING, "entry": "It is the entry above it."},
    ),
    "competitions.Pairing": Exported(
        FILE,
        ("round", "board", "south", "north", "match", "signs"),
        {
            "id": WITHOUT_MEANING,
            "group": "It is the group above it.",
            "waiting": "Its match is empty until it is opened.",
            "fixed": "It says which signs the result of a match no longer changes.",
        },
    ),
}
LEFT_OUT = dict.fromkeys(
    ("competitions.Tournament", "competitions.Stage", "competitions.Group"), PUBLIC
)
