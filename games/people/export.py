"""What people exports of a person: block list, reliability, reports made, decisions about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from games.people.models import Block, Reliability
from games.people.moderation import export as moderation
from lib.exports.files import File, in_batches, json_file, json_rows, plain, values
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

RELIABILITY = Exported(
    "reliability.json",
    (
        *("finished", "lost_on_time", "not_set_up", "finished_since"),
        *("quickly", "mostly", "slowly"),
    ),
    {"user": "It is the person."},
)


def files(user: User) -> Iterator[File]:
    """blocks.json, reliability.json and those of moderation; never who blocks them."""
    blocks = Block.objects.filter(owner=user).select_related("blocked").order_by("pk")
    yield json_rows(
        "blocks.json",
        (
            {"blocked": row.blocked.username, "made_at": plain(row.made_at)}
            for row in in_batches(blocks)
        ),
    )
    yield json_file("reliability.json", lambda: _reliability(user))
    yield from moderation.files(user)


def _reliability(user: User) -> dict[str, Any] | None:
    row = Reliability.objects.filter(user=user).first()
    return None if row is None else values(row, RELIABILITY.columns)


EXPORT = Part(
    files,
    {
        "people.Block": Exported(
            "blocks.json",
            ("blocked", "made_at"),
            {"id": "A number without meaning.", "owner": "It is the person."},
        ),
        "people.Reliability": RELIABILITY,
        **moderation.MODELS,
    },
)
