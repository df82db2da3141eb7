"""`manage.py measure_emails`: CPU seconds of an e-mail, all done and barely written, as JSON.

`prepare_bench` has played some matches; the newest event of each is delivered again and again.
"""

import json
from typing import Any

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Max
from django.template.loader import render_to_string
from django.utils import translation

from games.notifications import catalogue
from games.notifications.email.composing import match_emails
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.record.match_view import MatchView, view_match
from tests.bench.floor.backend import cpu_with_database
from tests.bench.meter import take_turns

TURN = catalogue.find("turn-came")


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, required=True)

    def handle(self, *args: Any, rounds: int, **options: Any) -> None:
        turns = Dispatch.objects.filter(event="turn-came")
        newest = turns.values("ref__match").annotate(newest=Max("pk")).values_list("newest")
        Dispatch.objects.exclude(pk__in=[pk for (pk,) in newest]).delete()
        count = Dispatch.objects.count()
        written = example()
        looks = [
            (row, view_match(row.ref["match"], row.user)) for row in turns.select_related("user")
        ]

        def everything() -> float:
            dispatcher.send_again(Dispatch.objects.all())
            used = cpu_with_database(dispatcher.drain)
            assert Dispatch.objects.filter(sent_at__isnull=False).count() == count
            return used / count

        measures = {
            "everything": everything,
            "bare": lambda: cpu_with_database(lambda: bare(written, count)) / count,
            "from looks": lambda: cpu_with_database(lambda: from_looks(looks)) / count,
        }
        self.stdout.write(json.dumps(take_turns(measures, rounds)))


def example() -> dict[str, str]:
    """The text and the HTML of one of the e-mails, ready."""
    dispatch = Dispatch.objects.select_related("user")[0]
    view = view_match(dispatch.ref["match"], dispatch.user)
    email = match_emails.write(TURN, dispatch.user, view, "<a@b>")
    return {"text": str(email.body), "html": str(email.alternatives[0][0])}


def from_looks(looks: list[tuple[Dispatch, MatchView]]) -> None:
    """The very e-mails, where what they say is at hand, sent in batches."""
    for start in range(0, len(looks), dispatcher.BATCH_ROWS):
        with get_connection() as smtp:
            for dispatch, seen in looks[start : start + dispatcher.BATCH_ROWS]:
                reader = dispatch.user
                with translation.override(reader.email_language):
                    smtp.send_messages(
                        [match_emails.write(TURN, reader, seen, dispatch.message_id)]
                    )


def bare(written: dict[str, str], count: int) -> None:
    """As many e-mails of the same length, rendered, put into MIME and sent in batches."""
    for start in range(0, count, dispatcher.BATCH_ROWS):
        with get_connection() as smtp:
            for number in range(start, min(start + dispatcher.BATCH_ROWS, count)):
                context = {**written, "number": number}
                email = EmailMultiAlternatives(
                    render_to_string("bench/subject.txt", context),
                    render_to_string("bench/email.txt", context),
                    to=["south@example.org"],
                )
                html = render_to_string("bench/email.html", context)
                email.attach_alternative(html, "text/html")
                smtp.send_messages([email])
