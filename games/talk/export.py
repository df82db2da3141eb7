"""What talk exports of a person: their own lines, and when the others wrote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from games.talk.lines import sealing
from games.talk.models import Line
from lib.exports.files import File, csv_file, in_batches
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

HEADER = ("match", "number", "at", "writer", "text")


def files(user: User) -> Iterator[File]:
    """talk.csv: the lines that the person sees, without the text of others."""
    yield csv_file("talk.csv", HEADER, _lines(user))


def _lines(user: User) -> Iterator[tuple[Any, ...]]:
    seen = Line.objects.filter(match__players__user=user).filter(Q(hidden=False) | Q(writer=user))
    ordered = seen.select_related("writer").order_by("match_id", "number")
    for line in in_batches(ordered):
        own = line.writer_id == user.pk and line.text
        text = sealing.unseal(line.match_id, line.number, line.text) if own else None
        yield line.match_id, line.number, line.at, line.writer.username, text


EXPORT = Part(
    files,
    {
        "talk.Line": Exported(
            "talk.csv",
            HEADER,
            {
                "id": "A number without meaning.",
                "hidden": "It would tell whether the opponent blocks the person.",
            },
        ),
    },
    {"talk.EmailedTalk": "It says which lines an e-mail has contained."},
)
