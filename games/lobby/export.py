"""What the lobby exports of a person: invitations that they made, and those to them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from games.lobby.models import Invitation
from lib.exports.files import File, in_batches, json_rows, values
from lib.exports.parts import Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

COLUMNS = (
    *("id", "kind", "status", "preset", "switches", "pace", "setup_pace", "soft", "vacations"),
    *("memory_aid", "rated", "listed", "seat", "as_set", "rating_from", "rating_to"),
    *("established", "min_finished", "reliable", "rematch_of", "match", "created_at"),
    *("expires_at", "closed_at", "commitments"),
)
OF_OWNER = ("note", "words", "repeats", "repeat_of", "prolonged")  # of their own invitations only


def files(user: User) -> Iterator[File]:
    """invitations.json."""
    rows = Invitation.objects.select_related("owner", "guest").order_by("pk")
    both = chain(in_batches(rows.filter(owner=user)), in_batches(rows.filter(guest=user)))
    yield json_rows("invitations.json", (_line(row, user) for row in both))


def _line(row: Invitation, user: User) -> dict[str, Any]:
    own = values(row, OF_OWNER) if row.owner_id == user.pk else {}
    names = {"from": row.owner.username, "to": row.guest and row.guest.username}
    return values(row, COLUMNS) | own | names


EXPORT = Part(
    files,
    {
        "lobby.Invitation": Exported(
            "invitations.json",
            (*COLUMNS, *OF_OWNER, "owner", "guest"),
            {
                "warn_at": "It says when the owner is reminded that it runs out.",
                "seeds": "Nobody may see a seed before the match; then the bundle has it.",
            },
        )
    },
)
