"""`manage.py release_emails`: sends e-mails that were held back, or drops old ones."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.outbox.delivery import dispatcher, releasing
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import now


def instant(text: str) -> datetime:
    """Parse an ISO 8601 instant, in UTC unless it names an offset."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not an instant like 2026-11-21T08:00.") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "With --retry: sends now all e-mails that the mail server refused, and those given up in "
        "the last 72 hours. Use it once the cause is fixed. With --drop-before, for a restored "
        "copy: drops the waiting e-mails, push messages and webhook calls about anything before an "
        "instant, since the original may have sent them. The rest is sent once HOLD_EMAILS is "
        "removed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        task = parser.add_mutually_exclusive_group(required=True)
        task.add_argument("--retry", action="store_true", help="send what the mail server refused")
        task.add_argument("--drop-before", type=instant, help="in UTC, as 2026-11-21T08:00")
        parser.add_argument(
            "--revive-mailboxes",
            action="store_true",
            help="with --retry: send again to mailboxes that were marked as bouncing in that time, "
            "except those whose owners complained",
        )
        parser.add_argument(
            "--since",
            type=instant,
            help="with --retry: start here instead of 72 hours ago; in UTC, as 2026-11-21T08:00",
        )
        parser.add_argument("--dry-run", action="store_true", help="only print how many there are")

    def handle(
        self,
        *args: Any,
        retry: bool,
        drop_before: datetime | None,
        revive_mailboxes: bool,
        since: datetime | None,
        dry_run: bool,
        **options: Any,
    ) -> None:
        if drop_before is not None:
            if revive_mailboxes or since:
                raise CommandError("--revive-mailboxes and --since go with --retry.")
            self._drop(drop_before, dry_run)
        else:
            self._retry(since or now() - releasing.WINDOW, revive_mailboxes, dry_run)

    def _retry(self, since: datetime, revive: bool, dry_run: bool) -> None:
        if dry_run:
            waiting = dispatcher.held_back().count()
            given_up = dispatcher.given_up_since(since).count()
            self.stdout.write(
                f"{waiting} waiting e-mails and {given_up} that were given up would be sent."
            )
            return
        done = releasing.release(since, revive=revive)
        self.stdout.write(
            f"Released {done.waiting} waiting e-mails and {done.given_up} that were given up."
        )
        if revive:
            self.stdout.write(f"Revived {done.revived} mailboxes.")
        self._say_if_held()

    def _drop(self, before: datetime, dry_run: bool) -> None:
        waiting = Dispatch.objects.filter(PENDING)
        if dry_run:
            old = waiting.filter(created_at__lt=before).count()
            self.stdout.write(f"{old} of {waiting.count()} waiting messages would be dropped.")
            return
        dropped = dispatcher.drop_before(before)
        self.stdout.write(f"Dropped {dropped} waiting messages; {waiting.count()} are left.")
        self._say_if_held()

    def _say_if_held(self) -> None:
        if settings.HOLD_EMAILS:
            self.stdout.write(
                "HOLD_EMAILS is on. The rest is sent once it is removed and all processes are "
                "restarted."
            )
