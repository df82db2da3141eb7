"""What watching exports of a person: the matches that they follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.watch.models import Follow
from lib.exports.files import File, in_batches, json_rows, plain
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User


def files(user: User) -> Iterator[File]:
    """follows.json; never who follows the person's own matches."""
    follows = Follow.objects.filter(user=user).order_by("pk")
    yield json_rows(
        "follows.json",
        (
            {"match": row.match_id, "since": plain(row.since), "ended_at": plain(row.ended_at)}
            for row in in_batches(follows)
        ),
    )


EXPORT = Part(
    files,
    {
        "watch.Follow": Exported(
            "follows.json",
            ("match", "since", "ended_at"),
            {"id": "A number without meaning.", "user": "It is the person."},
        ),
    },
)
