"""What mail exports of a person: what was sent to them and what came from them, without texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from games.mail.models import IncomingMessage
from games.outbox.models import Dispatch
from lib.exports.files import File, csv_file, in_batches
from lib.exports.parts import OF_THE_PERSON, WITHOUT_MEANING, Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

FILE = "mail.csv"
HEADER = ("direction", "at", "kind", "channel", "about", "state", "done_at", "why")
CONTENT = "It is the text of an e-mail, which the person has in their own mailbox."
OF_WORKERS = "It says how the service works through its queue."


def files(user: User) -> Iterator[File]:
    """mail.csv."""
    yield csv_file(FILE, HEADER, _lines(user))


def _lines(user: User) -> Iterator[tuple[Any, ...]]:
    for row in in_batches(Dispatch.objects.filter(user=user).order_by("pk")):
        state, done_at = _state(row)
        why = row.reason or row.error
        yield (
            "out",
            row.created_at,
            row.event,
            row.handler,
            json.dumps(row.ref),
            state,
            done_at,
            why,
        )
    messages = IncomingMessage.objects.filter(user=user).order_by("pk")
    for message in in_batches(messages.defer("envelope", "sealed", "receipt")):
        state = message.outcome or "waiting"
        yield (
            *("in", message.arrived_at, message.door, message.way_in, ""),
            *(state, message.done_at, message.why),
        )


def _state(row: Dispatch) -> tuple[str, Any]:
    """What became of a row of the outbox, and when."""
    if row.sent_at:
        return "sent", row.sent_at
    if row.superseded_at:
        return "dropped", row.superseded_at
    return ("failed", row.dead_at) if row.dead_at else ("waiting", None)


EXPORT = Part(
    files,
    {
        "outbox.Dispatch": Exported(
            FILE,
            (
                *("event", "handler", "ref", "created_at", "sent_at", "superseded_at", "dead_at"),
                *("reason", "error"),
            ),
            {
                "id": WITHOUT_MEANING,
                "user": OF_THE_PERSON,
                "dedupe": "It is made from the event and what it is about.",
                **dict.fromkeys(("not_before", "lease_until", "attempts", "cause"), OF_WORKERS),
            },
        ),
        "mail.IncomingMessage": Exported(
            FILE,
            ("door", "way_in", "arrived_at", "done_at", "outcome", "why"),
            {
                "id": WITHOUT_MEANING,
                "user": OF_THE_PERSON,
                "key": "It is a hash by which a message that comes twice is found.",
                "address": "It is the number of an address that was sent.",
                "issued": "It is the number of an address that was sent.",
                **dict.fromkeys(("envelope", "sealed", "receipt"), CONTENT),
                **dict.fromkeys(
                    ("taken_at", "lease_until", "attempts", "answered", "overtaken"), OF_WORKERS
                ),
            },
        ),
    },
    {
        "mail.Correspondent": "It is the table of users once more, for staff.",
        "outbox.Lease": "It is about the site, not about a person.",
        "idempotency.StoredResponse": (
            "It tells a form that is sent twice from a new one, and is deleted after 31 days."
        ),
        "idempotency.StoredApiResponse": (
            "It tells a request that is sent twice from a new one, and is deleted after a day."
        ),
        "house.HouseSeat": "It belongs to the computer, not to a person.",
    },
)
