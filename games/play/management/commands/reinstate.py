"""Management command `reinstate`: reopens or voids matches that wrongly ended on time."""

from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q, QuerySet

from games.play.commands import moderation
from games.play.models.match import APPEAL_PERIOD, ENDED_BY_TIME, MAX_REASON_CHARACTERS, Match
from games.play.refusals import AlreadyPublic, MatchIsOver, MatchMovedOn, NotNow

BY_TIME = reduce(or_, (Q(status=status, reason=reason) for status, reason in ENDED_BY_TIME))


class Command(BaseCommand):
    help = (
        "Reopen, or with --void end without a result, the matches that ended on time between two "
        "instants. Running it twice changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("since", type=instant, help="in UTC, as 2026-11-21T08:00")
        parser.add_argument("until", type=instant)
        parser.add_argument("--reason", required=True, help="both players read it")
        parser.add_argument("--void", action="store_true", help="end them without a result")
        parser.add_argument("--dry-run", action="store_true", help="only say how many there are")

    def handle(self, *args: Any, **options: Any) -> None:
        length = len(options["reason"])
        if length > MAX_REASON_CHARACTERS:
            raise CommandError(
                f"The reason has {length} characters; the limit is {MAX_REASON_CHARACTERS}."
            )
        matches = ended_by_time(options["since"], options["until"])
        numbers = list(matches.values_list("pk", flat=True))
        if options["dry_run"]:
            self.stdout.write(f"{len(numbers)} matches ended on time then.")
            return
        act = moderation.void if options["void"] else moderation.reopen
        done, late, failed = 0, 0, []
        for number in numbers:
            try:
                act(number, options["reason"])
                done += 1
            except AlreadyPublic:
                late += 1
            except (NotNow, MatchIsOver):
                continue  # A concurrent run has just done it.
            except MatchMovedOn:
                failed.append(number)
        self.stdout.write(f"{'Voided' if options['void'] else 'Reopened'} {done} matches.")
        if late:
            hours = APPEAL_PERIOD // timedelta(hours=1)
            self.stdout.write(
                f"Left {late} as they are, open to everybody since {hours} hours after they ended; "
                "--void ends them without a result."
            )
        if failed:
            raise CommandError(f"To be tried again: {', '.join(map(str, failed))}.")


def ended_by_time(since: datetime, until: datetime) -> QuerySet[Match]:
    """The matches that ended on time between two instants, the oldest first."""
    return Match.objects.filter(BY_TIME, finished_at__range=(since, until)).order_by("finished_at")


def instant(text: str) -> datetime:
    """Read an ISO 8601 instant, in UTC unless it names an offset."""
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)
