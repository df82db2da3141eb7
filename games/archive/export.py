"""What the archive exports of a person: the game records that they imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.archive.models import ImportedRecord
from lib.exports.files import File, in_batches, json_rows, text_file, values
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

LISTED = (
    *("id", "preset", "switches", "south", "north", "result", "reason", "plies", "shared"),
    "created_at",
)


def files(user: User) -> Iterator[File]:
    """imported.json, and imported/N.txt for each record."""
    records = ImportedRecord.objects.filter(owner=user).order_by("pk")
    rows = in_batches(records.defer("text"))
    yield json_rows("imported.json", (values(row, LISTED) for row in rows))
    for record in in_batches(records):
        yield text_file(f"imported/{record.pk}.txt", record.text)


EXPORT = Part(
    files,
    {
        "archive.ImportedRecord": Exported(
            "imported/N.txt",
            (*LISTED, "text"),
            {"owner": "It is the person.", "link": "It is part of the secret address of a link."},
        )
    },
    {
        "archive.PlyChunk": "It is the imported record once more, packed for its pages.",
        "archive.Film": "It shows a match that everybody can replay, and names nobody.",
        "archive.FilmFile": "It shows a match that everybody can replay, and names nobody.",
    },
)
