"""`manage.py measure_emails`: CPU seconds of an e-mail, of a batch, alone, barely written, as JSON.

`prepare_bench` has played some matches; the newest event of each is delivered again and again.
"""

import json
from typing import Any

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Max
from django.template.loader import render_to_string

from games.notifications import catalogue
from games.notifications.email.composing import match_emails
from games.notifications.policy.prefetch import READ_AHEAD_ROWS
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.record.match_view import prefetch_matches, view_match
from tests.bench.floor.backend import cpu_with_database
from tests.bench.meter import take_turns

TURN = catalogue.find("turn-came")
LONE = 40  # e-mails, each the only one that is due


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, required=True)

    def handle(self, *args: Any, rounds: int, **options: Any) -> None:
        turns = Dispatch.objects.filter(event="turn-came")
        newest = turns.values("ref__match").annotate(newest=Max("pk")).values_list("newest")
        Dispatch.objects.exclude(pk__in=[pk for (pk,) in newest]).delete()
        count = Dispatch.objects.count()
        written = example()
        rows = list(turns.select_related("user"))

        def everything() -> float:
            dispatcher.send_again(Dispatch.objects.all())
            used = cpu_with_database(dispatcher.drain)
            assert Dispatch.objects.filter(sent_at__isnull=False).count() == count
            return used / count

        def lone() -> float:
            used = 0.0
            for row in rows[:LONE]:
                dispatcher.send_again(Dispatch.objects.filter(pk=row.pk))
                used += cpu_with_database(dispatcher.drain)
            return used / len(rows[:LONE])

        def bare() -> float:
            return cpu_with_database(lambda: send_bare(written, rows)) / count

        def looked() -> float:
            return bare() + cpu_with_database(lambda: look(rows)) / count

        measures = {"everything": everything, "lone": lone, "bare": bare, "looked": looked}
        self.stdout.write(json.dumps(take_turns(measures, rounds)))


def example() -> dict[str, str]:
    """The text and the HTML of one of the e-mails, ready."""
    dispatch = Dispatch.objects.select_related("user")[0]
    view = view_match(dispatch.ref["match"], dispatch.user)
    email = match_emails.write(TURN, dispatch.user, view, "<a@b>")
    return {"text": str(email.body), "html": str(email.alternatives[0][0])}


def look(rows: list[Dispatch]) -> None:
    """The matches of the e-mails as their readers see them, read in batches."""
    for start in range(0, len(rows), READ_AHEAD_ROWS):
        batch = rows[start : start + READ_AHEAD_ROWS]
        ids, readers = {row.ref["match"] for row in batch}, {row.user_id for row in batch}
        prefetched = prefetch_matches(ids, readers)
        for row in batch:
            prefetched[row.ref["match"]].view(row.user)


def send_bare(written: dict[str, str], rows: list[Dispatch]) -> None:
    """As many e-mails of the same length, rendered, put into MIME and sent in batches."""
    for start in range(0, len(rows), dispatcher.BATCH_ROWS):
        with get_connection() as smtp:
            for row in rows[start : start + dispatcher.BATCH_ROWS]:
                context = {**written, "number": row.pk}
                email = EmailMultiAlternatives(
                    render_to_string("bench/subject.txt", context),
                    render_to_string("bench/email.txt", context),
                    to=["south@example.org"],
                )
                html = render_to_string("bench/email.html", context)
                email.attach_alternative(html, "text/html")
                smtp.send_messages([email])
