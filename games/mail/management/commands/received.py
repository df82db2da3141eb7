"""`manage.py received`: lists incoming messages and their outcomes; `--raw` prints one message."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.mail import addresses, sealing
from games.mail.models import IncomingMessage

DEFAULT_LISTED = 200
CHUNK_ROWS = 100


class Command(BaseCommand):
    help = "Lists what came in by mail, newest first; with --raw, one message as it came."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="an object on each line")
        parser.add_argument("--raw", type=int, metavar="ID", help="print this message as it came")
        parser.add_argument("--most", type=int, default=DEFAULT_LISTED, help="how many are listed")

    def handle(self, *args: Any, json: bool, raw: int | None, most: int, **options: Any) -> None:
        if raw is not None:
            sys.stdout.buffer.write(raw_message(raw))
            sys.stdout.buffer.flush()
            return
        for values in listed(most):
            self.stdout.write(_as_json(values) if json else _as_line(values))


def listed(most: int) -> Iterator[dict[str, Any]]:
    """The newest messages, newest first, without their contents."""
    rows = IncomingMessage.objects.defer("sealed", "receipt").order_by("-pk")[:most]
    for row in rows.iterator(CHUNK_ROWS):
        envelope = sealing.envelope_of(row)
        yield {
            "id": row.pk,
            "at": row.taken_at.isoformat(timespec="seconds"),
            "arrived": row.arrived_at.isoformat(timespec="seconds"),
            "way_in": row.way_in,
            "recipient": addresses.masked(envelope["recipient"]),
            "message_id": envelope["message_id"],
            "outcome": row.outcome or "waiting",
            "why": row.why,
            "answered": row.answered,
            "arrived_in_time": row.overtaken,
        }


def raw_message(pk: int) -> bytes:
    """The raw message; raises CommandError."""
    row = IncomingMessage.objects.filter(pk=pk).first()
    if row is None:
        raise CommandError(f"There is no message {pk}.")
    return sealing.unseal_message(row.sealed, row.key)


def _as_json(values: dict[str, Any]) -> str:
    return json.dumps(values)


def _as_line(values: dict[str, Any]) -> str:
    why = f" ({values['why']})" if values["why"] else ""
    return (
        f"{values['id']:>6}  {values['at']}  {values['recipient']}  {values['message_id']}  "
        f"{values['outcome']}{why}"
    )
