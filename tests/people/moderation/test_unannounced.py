"""A report is unannounced: no page and no e-mail of anybody else changes by it."""

import re
from collections.abc import Iterator

from django.test import Client

from accounts.models import User
from games.outbox.models import Dispatch
from games.people.models import ReportReason, Subject
from games.people.moderation import reporting
from games.people.moderation.reporting import Reported
from lib.db_clock import frozen_at, now
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

# They differ from request to request.
DRAWN = re.compile(rb'name="(?:csrfmiddlewaretoken|idempotency_key)" value="[^"]*"')
VARYING = ("X-Request-ID", "Expires")
PAGES = (
    *("/", "/lobby/", "/next/", "/people/reports/", "/people/profile/Alice/", "/notifications/"),
    *("/people/profile/Bob/", "/people/preferences/", "/people/profile/Bob/report/"),
)


def responses_of(clients: list[Client], match: int) -> Iterator[tuple[int, bytes, str]]:
    """What these people receive: status, body and headers of each page."""
    for client in clients:
        for page in (*PAGES, f"/match/{match}/", f"/match/{match}/news/"):
            answer = client.get(page)
            headers = {name: value for name, value in answer.headers.items() if name not in VARYING}
            yield answer.status_code, DRAWN.sub(b"", answer.content), f"{page} {headers}"


def people_around(who: People) -> list[User]:
    return [who.alice, who.charlie]


def test_only_the_reporter_and_staff_see_that_something_was_reported(who: People) -> None:
    match = match_helpers.running_match(who)
    clients = [cases.browser(user) for user in people_around(who)] + [Client()]
    Dispatch.objects.all().delete()
    with frozen_at(now()):
        list(responses_of(clients, match.pk))  # so that everything is cached that may be cached
        before = list(responses_of(clients, match.pk))
        copy = cases.lines(who.alice, "Coward!")
        reported = Reported(who.alice, Subject.LINE, copy, match=match.pk, line=1)
        reporting.report(who.bob, reported, ReportReason.ABUSE, "Again.")
        after = list(responses_of(clients, match.pk))
    assert {status for status, *_ in before} <= {200, 204, 302, 304}
    assert after == before
    assert not Dispatch.objects.exists()
