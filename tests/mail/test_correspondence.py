"""One page of the admin answers "no mail came": what was sent to a person, and what came in."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.mail.models import IncomingMessage
from games.notifications.models import Mailbox
from games.notifications.policy import deliverability, preferences
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch, Reason
from games.play.models.match import Match
from lib import log_context
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.mail import post
from tests.play import match_helpers
from tests.play.forms import client_of, send
from tests.play.match_helpers import People

LIST = reverse("admin:mail_correspondent_changelist")


@pytest.fixture
def administrator(settings: Any, db: None) -> User:
    settings.STAFF_NEEDS_MFA = False
    return match_helpers.person("Berthier", is_staff=True, is_superuser=True)


@pytest.fixture
def staff(administrator: User) -> Client:
    return client_of(administrator)


def page_url(person: User) -> str:
    return reverse("admin:mail_correspondent_change", args=[person.pk])


def rows(page: str, table: int) -> list[str]:
    """The lines of a table of the page, in words."""
    body = page.split("<tbody>")[table].split("</tbody>")[0]
    lines = (re.sub(r"<[^>]+>", " ", line) for line in body.split("<tr>")[1:])
    return [" ".join(unescape(line).split()) for line in lines]


def fact_rows(page: str) -> list[str]:
    return rows(page, 1)


def sent_rows(page: str) -> list[str]:
    return rows(page, 2)


def received_rows(page: str) -> list[str]:
    return rows(page, 3)


def page_text(staff: Client, person: User) -> str:
    answer = staff.get(page_url(person))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_people_are_found_by_username_and_address(staff: Client, who: People) -> None:
    for term in ("Alice", who.alice.email):
        page = staff.get(LIST, {"q": term}).content.decode()
        assert page_url(who.alice) in page and page_url(who.bob) not in page


def test_a_sent_email_is_listed_with_the_request_that_caused_it(
    staff: Client, who: People, match: Match
) -> None:
    browser = client_of(who.alice)
    dispatcher.drain()
    answer = send(browser, match, "a4-a5")
    dispatcher.drain()
    line = next(line for line in sent_rows(page_text(staff, who.bob)) if "turn-came" in line)
    assert f"match {match.pk}" in line and " sent " in line
    assert line.endswith(answer.headers["X-Request-ID"])


@pytest.mark.parametrize(
    ("reason", "prepare"),
    [
        (Reason.UNWANTED, lambda bob: preferences.change(bob, unwanted=("email turn",))),
        (
            Reason.NOTIFIED,
            lambda bob: User.objects.filter(pk=bob.pk).update(
                hushed=True, notification_preferences={"frequency": "calm"}
            ),
        ),
        (Reason.NO_READER, lambda bob: User.objects.filter(pk=bob.pk).update(is_active=False)),
        (
            Reason.UNREACHABLE,
            lambda bob: deliverability.bounced(bob, deliverability.NO_SUCH, lasting=True),
        ),
    ],
)
def test_a_dropped_email_says_why(
    staff: Client, who: People, match: Match, reason: Reason, prepare: Callable[[User], Any]
) -> None:
    dispatcher.drain()
    prepare(who.bob)
    match_helpers.play(match, "a4-a5")
    with frozen_at(now() + timedelta(hours=1)):
        dispatcher.drain()
    row = Dispatch.objects.get(event="turn-came", user=who.bob, superseded_at__isnull=False)
    assert row.reason == reason
    line = next(line for line in sent_rows(page_text(staff, who.bob)) if "turn-came" in line)
    assert "no longer needed" in line and str(reason.label) in line


def test_an_outdated_notification_says_so(staff: Client, who: People, match: Match) -> None:
    dispatcher.drain()
    match_helpers.play(match, "a4-a5", "j7xj4")
    dispatcher.drain()
    row = Dispatch.objects.filter(event="turn-came", user=who.bob).latest("pk")
    assert row.reason == Reason.OUTDATED


def test_a_held_email_says_until_when(staff: Client, who: People, match: Match) -> None:
    dispatcher.drain()
    Dispatch.objects.filter(user=who.bob).delete()
    preferences.change(who.bob, frequency="daily")
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (line,) = sent_rows(page_text(staff, who.bob))
    assert "held until later" in line
    assert str(Dispatch.objects.get(user=who.bob).not_before.year) in line


def test_codes_are_found_by_their_user(staff: Client, who: People) -> None:
    Client().post("/account/login/code/", {"email": who.alice.email.upper()})
    assert any(
        "account-email" in line for line in at_least(1, sent_rows(page_text(staff, who.alice)))
    )


def test_an_address_without_a_user_has_a_row_without_one(db: None) -> None:
    Client().post("/account/login/code/", {"email": "nobody@example.org"})
    assert Dispatch.objects.get(event="account-email").user_id is None


def test_the_state_of_the_mailbox_is_shown(staff: Client, who: People) -> None:
    Mailbox.objects.create(user=who.bob, sent_at=now() - timedelta(days=9))
    deliverability.bounced(who.bob, deliverability.NO_SUCH, lasting=True)
    User.objects.filter(pk=who.bob.pk).update(match_emails=False)
    lines = " | ".join(fact_rows(page_text(staff, who.bob)))
    assert "E-mails bounce, so no more are sent" in lines
    assert deliverability.NO_SUCH in lines
    assert "E-mails about matches turned off" in lines
    assert "Last e-mail sent at" in lines


def test_a_received_message_is_listed_without_its_text_or_commands(
    staff: Client, who: People, match: Match
) -> None:
    match_helpers.play(match, "a4-a5", "j7xj4")
    email = post.email(who.alice)
    post.answer(who.alice, email, "resign")
    post.answer(who.alice, email, "a5-a6")
    page = page_text(staff, who.alice)
    lines = received_rows(page)
    assert len(lines) == 2
    for line, row in zip(lines, IncomingMessage.objects.order_by("-pk"), strict=True):
        assert "an answer to an e-mail" in line and "dealt with" in line
        assert line.endswith(f"mail-{row.pk}")
    for word in ("resign", "asked", "played", "a5-a6"):
        assert word not in page
    # The receipt is among what was posted, with the message as its cause.
    receipts = [line for line in sent_rows(page) if "mail-receipt" in line]
    assert [line.split()[-1] for line in receipts] == [line.split()[-1] for line in lines]


def test_text_of_an_opponent_is_not_shown(staff: Client, administrator: User, who: People) -> None:
    match_helpers.running_match(People(administrator, who.alice, who.bob))
    page = page_text(staff, who.alice)
    assert "You are playing a match against each other" in page
    assert page.count("<tbody>") == 2


def test_the_query_count_of_the_page_is_constant(staff: Client, who: People, match: Match) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page_text(staff, who.bob)
        return len(queries)

    page_text(staff, who.bob)
    few = count()
    match_helpers.play(match, "a4-a5", "j7xj4")
    dispatcher.drain()
    assert count() == few <= 10


@pytest.mark.postgresql
def test_the_rows_of_a_person_are_found_by_an_index(who: People, match: Match) -> None:
    dispatches = Dispatch.objects.bulk_create(
        Dispatch(
            event="x", handler="x", user_id=number, dedupe=str(number),
            created_at=now(), not_before=now(),
        )
        for number in range(1000, 3000)
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    rows = Dispatch.objects.filter(user=dispatches[7].user_id).order_by("-pk")[:100]
    assert "dispatch_of_user" in rows.explain()


def test_house_opponents_have_no_page(staff: Client) -> None:
    house = User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    assert staff.get(page_url(house)).status_code == 302


def test_staff_without_permission_see_no_page(
    staff: Client, administrator: User, who: People
) -> None:
    User.objects.filter(pk=administrator.pk).update(is_superuser=False)
    administrator.user_permissions.set(Permission.objects.filter(codename="view_user"))
    assert staff.get(page_url(who.alice)).status_code == 403
    account = reverse("admin:accounts_user_change", args=[who.alice.pk])
    assert page_url(who.alice) not in staff.get(account).content.decode()
    administrator.user_permissions.add(Permission.objects.get(codename="view_correspondent"))
    assert staff.get(page_url(who.alice)).status_code == 200
    assert page_url(who.alice) in staff.get(account).content.decode()


def test_each_email_is_one_line_in_the_log_with_its_request(who: People, match: Match) -> None:
    dispatcher.drain()
    with log_context.bound(request_id="abc123"):
        match_helpers.play(match, "a4-a5")
    fields: list[dict[str, Any]] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage() == "Sent an e-mail.":
                fields.append(log_context.context() | record.fields)  # type: ignore[attr-defined]

    log = logging.getLogger("games.notifications.email.sending.delivery")
    handler = Keep()
    log.addHandler(handler)
    level, log.level = log.level, logging.INFO
    try:
        dispatcher.drain()
    finally:
        log.removeHandler(handler)
        log.level = level
    row = Dispatch.objects.filter(event="turn-came", user=who.bob).latest("pk")
    assert fields == [
        {
            "dispatch": row.pk,
            "event": "turn-came",
            "user": who.bob.pk,
            "request_id": "abc123",
            "message_id": row.message_id.strip("<>"),
        }
    ]
    assert log_context.context() == {}
