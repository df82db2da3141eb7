"""`manage.py received`: what came in by mail and what became of it; `--raw` prints one message."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.mail import addresses, sealing
from games.mail.models import IncomingMessage

LISTED_MESSAGES = 200  # messages, unless more are asked for
CHUNK_ROWS = 100


class Command(BaseCommand):
    help = "Lists what came in by mail, newest first; with --raw, one message as it came."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="an object on each line")
        parser.add_argument("--raw", type=int, metavar="ID", help="print this message as it came")
        parser.add_argument("--most", type=int, default=LISTED_MESSAGES, help="how many are listed")

    def handle(self, *args: Any, json: bool, raw: int | None, most: int, **options: Any) -> None:
        if raw is not None:
            sys.stdout.buffer.write(raw_message(raw))
            sys.stdout.buffer.flush()
            return
        for facts in listed(most):
            self.stdout.write(_as_json(facts) if json else _as_line(facts))


def listed(most: int) -> Iterator[dict[str, Any]]:
    """The newest messages, newest first."""
    rows = IncomingMessage.objects.defer("sealed", "receipt").order_by("-pk")[:most]
    for row in rows.iterator(CHUNK_ROWS):
        envelope = sealing.envelope_of(row)
        yield {
            "id": row.pk,
            "at": row.taken_at.isoformat(timespec="seconds"),
            "arrived": row.arrived_at.isoformat(timespec="seconds"),
            "recipient": addresses.masked(envelope["recipient"]),
            "message_id": envelope["message_id"],
            "outcome": row.outcome or "waiting",
            "why": row.why,
            "answered": row.answered,
            "arrived_in_time": row.overtaken,
        }


def raw_message(pk: int) -> bytes:
    """A message as it came; raises CommandError."""
    row = IncomingMessage.objects.filter(pk=pk).first()
    if row is None:
        raise CommandError(f"There is no message {pk}.")
    return sealing.unseal_message(row.sealed, row.key)


def _as_json(facts: dict[str, Any]) -> str:
    return json.dumps(facts)


def _as_line(facts: dict[str, Any]) -> str:
    why = f" ({facts['why']})" if facts["why"] else ""
    return (
        f"{facts['id']:>6}  {facts['at']}  {facts['recipient']}  {facts['message_id']}  "
        f"{facts['outcome']}{why}"
    )
