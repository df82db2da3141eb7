"""Imported records on their shelf: written down ply by ply, and opened at any of them.

Opening a ply reads the stretch that it lies in and those beside it as far as the list of moves
shows them. It costs the same at the tenth ply and at the last, in short records and in long ones.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from games.archive.models import ImportedRecord, Stretch
from games.archive.replay import AFTER, BEFORE
from games.play import narration
from games.play.models.kind import Kind
from games.play.scene import Entry, NoSuchPly, Scene
from games.relay.once import deed
from games.rules.core import notation
from games.rules.core.army import Seat
from games.rules.core.observation import observe
from games.rules.core.viewpoint import Viewpoint

STRETCH = 32  # plies in a row of the table
VIEWPOINTS = (Viewpoint.OPEN, Viewpoint.SOUTH, Viewpoint.NORTH, Viewpoint.GALLERY)

Ply = tuple[str, str]  # the text of what was played, with its remarks, and the position after it


@deed()
def put(record: ImportedRecord, plies: Sequence[Ply]) -> None:
    """Keep a record and all its plies, the set-ups first."""
    record.save()
    rows = []
    for number, first in enumerate(range(0, len(plies), STRETCH)):
        packed = _pack(plies[first : first + STRETCH])
        rows.append(Stretch(record=record, number=number, packed=packed))
    Stretch.objects.bulk_create(rows)


def sides(record: ImportedRecord) -> dict[Seat, str]:
    """Who played, as the record has it; where it names nobody, the seat."""
    told = (record.south, record.north)
    seats = record.rules.seat_names
    return {seat: told[seat] or _(seats[seat]) for seat in Seat}


def ending(record: ImportedRecord) -> str:
    """How the game ended, in a sentence; "" if it did not."""
    if record.result == "*":
        return ""
    return narration.verdict(record.rules, record.result, record.reason, sides(record))


def scene(record: ImportedRecord, ply: int | None, viewpoint: Viewpoint) -> Scene:
    """What there is to see at a ply, the last one if None; raises NoSuchPly. One query."""
    number = record.plies if ply is None else ply
    if not 0 <= number <= record.plies:
        raise NoSuchPly
    rules = record.rules
    around = dict(_around(record, number))
    position = notation.read_position(rules, around[number][1])
    return Scene(
        rules=rules,
        viewpoint=viewpoint,
        sides=sides(record),
        opening=0,
        last=record.plies,
        number=number,
        observation=observe(rules, position, viewpoint),
        entries=tuple(_entry(number, text) for number, (text, _position) in around.items()),
    )


def _around(record: ImportedRecord, number: int) -> Iterator[tuple[int, Ply]]:
    """The plies around one, by their numbers."""
    first, last = max(0, number - BEFORE), number + AFTER
    rows = Stretch.objects.filter(
        record=record, number__range=(first // STRETCH, last // STRETCH)
    ).order_by("number")
    for stretch, packed in rows.values_list("number", "packed"):
        for place, ply in enumerate(_unpack(packed), stretch * STRETCH):
            if first <= place <= last:
                yield place, ply


def _entry(number: int, text: str) -> Entry:
    if number == 0:
        return Entry(number, None, Kind.BEGIN, text)
    # South moves first, and nobody passes (C1, C4).
    return Entry(number, Seat((number - 1) % 2), Kind.MOVE, text)


def _pack(plies: Iterable[Ply]) -> bytes:
    return zlib.compress("\n".join("\t".join(ply) for ply in plies).encode())


def _unpack(packed: bytes | memoryview) -> Iterator[Ply]:
    for line in zlib.decompress(packed).decode().split("\n"):
        text, _tab, position = line.partition("\t")
        yield text, position
