"""`manage.py reinstate`: take back endings by time that were no player's fault."""

from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q, QuerySet

from games.play import commands
from games.play.models.match import APPEAL, NO_SHOW, REASON, Match, Status
from games.play.refusals import MatchIsOver, NotNow, OpenAlready, Overtaken

BY_TIME = Q(status=Status.FINISHED, reason="time") | Q(status=Status.CANCELLED, reason=NO_SHOW)


class Command(BaseCommand):
    help = (
        "Reopen, or with --void annul, the matches that the clock has ended between two instants. "
        "Doing it twice changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("since", type=instant, help="in UTC, as 2026-11-21T08:00")
        parser.add_argument("until", type=instant)
        parser.add_argument("--reason", required=True, help="both players read it")
        parser.add_argument("--void", action="store_true", help="end them without a result")
        parser.add_argument("--dry-run", action="store_true", help="only say how many there are")

    def handle(self, *args: Any, **options: Any) -> None:
        length = len(options["reason"])
        if length > REASON:
            raise CommandError(
                f"The reason has {length} characters, and {REASON} at most are kept; shorten it."
            )
        matches = ended_by_time(options["since"], options["until"])
        numbers = list(matches.values_list("pk", flat=True))
        if options["dry_run"]:
            self.stdout.write(f"The clock has ended {len(numbers)} matches in that time.")
            return
        act = commands.void if options["void"] else commands.reopen
        done, late, failed = 0, 0, []
        for number in numbers:
            try:
                act(number, options["reason"])
                done += 1
            except OpenAlready:
                late += 1
            except (NotNow, MatchIsOver):
                continue  # Somebody else has just done it.
            except Overtaken:
                failed.append(number)
        self.stdout.write(f"{'Annulled' if options['void'] else 'Reopened'} {done} matches.")
        if late:
            hours = APPEAL // timedelta(hours=1)
            self.stdout.write(
                f"Left {late} as they are, open to everybody since {hours} hours after they ended; "
                "--void annuls them."
            )
        if failed:
            raise CommandError(f"To be tried again: {', '.join(map(str, failed))}.")


def ended_by_time(since: datetime, until: datetime) -> QuerySet[Match]:
    """The matches that the clock has ended from one instant to another, the oldest first."""
    return Match.objects.filter(BY_TIME, finished_at__range=(since, until)).order_by("finished_at")


def instant(text: str) -> datetime:
    """An instant as it is typed; UTC unless it says otherwise."""
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)
