"""`manage.py release_emails`: drops what must not go out again from a restored copy."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.outbox import dispatcher
from games.outbox.models import PENDING, Dispatch


def instant(text: str) -> datetime:
    """Read an ISO 8601 instant, in UTC unless it names an offset."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no instant like 2026-11-21T08:00.") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "Drops the waiting e-mails, push messages and calls of webhooks that are about something "
        "from before an instant: the one until which the original may have sent them. The others "
        "go out when HOLD_EMAILS is taken away."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--drop-before", type=instant, required=True, help="in UTC, as 2026-11-21T08:00"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say how many there are")

    def handle(self, *args: Any, drop_before: datetime, dry_run: bool, **options: Any) -> None:
        waiting = Dispatch.objects.filter(PENDING)
        if dry_run:
            old = waiting.filter(created_at__lt=drop_before).count()
            self.stdout.write(f"{old} of {waiting.count()} waiting messages would be dropped.")
            return
        dropped = dispatcher.drop_before(drop_before)
        self.stdout.write(f"Dropped {dropped} waiting messages; {waiting.count()} are left.")
        if settings.HOLD_EMAILS:
            self.stdout.write(
                "HOLD_EMAILS is on. What is left goes out when it is taken away and everything is "
                "started anew."
            )
