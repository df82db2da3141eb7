"""Storage of imported records: plies in compressed chunks, and a snapshot of any ply.

Reading a ply decompresses its chunk and the neighbours that the move list needs, so the cost does
not depend on the ply or on the length of the record.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from accounts.models import User
from games.archive.models import ImportedRecord, PlyChunk
from games.archive.replay import PLIES_AFTER, PLIES_BEFORE
from games.idempotency.replay import command_transaction
from games.play.models.kind import PlyKind
from games.play.record.match_view import ATTACK_SIGN
from games.play.record.snapshot import Entry, NoSuchPly, Snapshot
from games.play.words import narration
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text import notation

CHUNK_PLIES = 32  # as many as a replay requests at once (board/replay_blocks.py)
VIEWPOINTS = (Viewpoint.OPEN, Viewpoint.SOUTH, Viewpoint.NORTH, Viewpoint.GALLERY)

Ply = tuple[str, str]  # the annotated text of a move, and the position after it


@command_transaction()
def store(record: ImportedRecord, plies: Sequence[Ply]) -> None:
    """Save a record with all its plies in one transaction; the first ply is the set-ups."""
    record.save()
    rows = []
    for number, first in enumerate(range(0, len(plies), CHUNK_PLIES)):
        packed = _pack(plies[first : first + CHUNK_PLIES])
        rows.append(PlyChunk(record=record, number=number, packed=packed))
    PlyChunk.objects.bulk_create(rows)


def sides(record: ImportedRecord) -> dict[Seat, str]:
    """The players' names by seat; the name of the seat if the record has none."""
    names = (record.south, record.north)
    seats = record.rules.seat_names
    return {seat: names[seat] or _(seats[seat]) for seat in Seat}


def ending(record: ImportedRecord) -> str:
    """How the game ended, as a sentence; "" for an unfinished game."""
    if record.result == "*":
        return ""
    return narration.verdict(record.rules, record.result, record.reason, sides(record))


def snapshot(record: ImportedRecord, ply: int | None, viewpoint: Viewpoint) -> Snapshot:
    """A snapshot of a ply, the last if None; raises NoSuchPly. One query."""
    number = record.plies if ply is None else ply
    if not 0 <= number <= record.plies:
        raise NoSuchPly
    around = dict(_plies(record, max(0, number - PLIES_BEFORE), number + PLIES_AFTER))
    (view,) = _snapshots(record, around, [number], viewpoint)
    return view


def snapshots(
    record: ImportedRecord, first: int, last: int, viewpoint: Viewpoint
) -> tuple[Snapshot, ...]:
    """Snapshots of consecutive plies, up to the last one; raises NoSuchPly. One query."""
    if not 0 <= first <= record.plies:
        raise NoSuchPly
    plies = dict(_plies(record, first, min(last, record.plies)))
    return _snapshots(record, plies, plies, viewpoint)


def battles(record: ImportedRecord) -> tuple[int, ...]:
    """The plies of a record with a battle or capture; one query."""
    plies = _plies(record, 1, record.plies)
    return tuple(number for number, (text, _position) in plies if ATTACK_SIGN in text)


def _snapshots(
    record: ImportedRecord, plies: Mapping[int, Ply], shown: Iterable[int], viewpoint: Viewpoint
) -> tuple[Snapshot, ...]:
    rules, names = record.rules, sides(record)
    entries = tuple(_entry(number, text) for number, (text, _position) in plies.items())
    return tuple(
        Snapshot(
            rules=rules,
            viewpoint=viewpoint,
            sides=names,
            opening=0,
            last=record.plies,
            number=number,
            observation=observe(rules, notation.read_position(rules, plies[number][1]), viewpoint),
            entries=entries,
        )
        for number in shown
    )


def _plies(record: ImportedRecord, first: int, last: int) -> Iterator[tuple[int, Ply]]:
    """Plies `first` to `last`, with their numbers."""
    rows = PlyChunk.objects.filter(
        record=record, number__range=(first // CHUNK_PLIES, last // CHUNK_PLIES)
    ).order_by("number")
    for chunk, packed in rows.values_list("number", "packed"):
        for place, ply in enumerate(_unpack(packed), chunk * CHUNK_PLIES):
            if first <= place <= last:
                yield place, ply


def _entry(number: int, text: str) -> Entry:
    if number == 0:
        return Entry(number, None, PlyKind.BEGIN, text)
    # South moves first, and no player may pass (C1, C4).
    return Entry(number, Seat((number - 1) % 2), PlyKind.MOVE, text)


def _pack(plies: Iterable[Ply]) -> bytes:
    return zlib.compress("\n".join("\t".join(ply) for ply in plies).encode())


def _unpack(packed: bytes | memoryview) -> Iterator[Ply]:
    for line in zlib.decompress(packed).decode().split("\n"):
        text, _tab, position = line.partition("\t")
        yield text, position


def delete_records_of(user: User) -> None:
    """Delete the imported records of an account that is erased."""
    ImportedRecord.objects.filter(owner=user).delete()
