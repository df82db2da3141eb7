"""Delivery of rows while a real mail server refuses, disconnects or is down."""

from collections.abc import Iterable
from datetime import timedelta
from email import message_from_bytes
from typing import Any

import pytest
from django.core import mail
from django.db import OperationalError

from games.outbox import registry
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.outbox.handlers import post
from tests.servers import SmtpSink

pytestmark = pytest.mark.django_db


@pytest.fixture
def sink(smtp_sink: SmtpSink, settings: Any) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = smtp_sink.port
    settings.EMAIL_TIMEOUT = 5
    return smtp_sink


def emails(count: int) -> list[Dispatch]:
    for match in range(count):
        post("email", match=match)
    return list(Dispatch.objects.order_by("pk"))


def ids(sink: SmtpSink) -> list[str]:
    return [message_from_bytes(email)["Message-ID"] for email in sink.emails]


def test_a_batch_of_emails_shares_one_connection(sink: SmtpSink) -> None:
    rows = emails(5)
    dispatcher.drain()
    assert sorted(ids(sink)) == sorted(row.message_id for row in rows)
    assert sink.connections == 1
    assert Dispatch.objects.filter(sent_at__isnull=False).count() == 5


def test_a_permanent_refusal_is_dropped_at_once(sink: SmtpSink) -> None:
    sink.mood = "refuse"
    (row,) = emails(1)
    dispatcher.drain()
    row.refresh_from_db()
    assert row.dead_at
    assert row.error == "MailboxRefused 5.1.1"


@pytest.mark.parametrize("command", ["to_rcpt", "answer"])
def test_a_refusal_for_a_fault_of_ours_is_retried_for_three_days(
    sink: SmtpSink, command: str
) -> None:
    setattr(sink, command, "554 5.7.1 Refused by policy")
    (row,) = emails(1)
    try_each_hour(range(0, 72, 6))
    row.refresh_from_db()
    assert not row.dead_at and row.attempts == 12 and row.error == "OwnFault 5.7.1"
    try_each_hour([73])
    row.refresh_from_db()
    assert row.dead_at


def test_a_busy_server_is_retried(sink: SmtpSink) -> None:
    sink.mood = "busy"
    (row,) = emails(1)
    dispatcher.drain()
    row.refresh_from_db()
    assert not row.dead_at and row.error == "SMTPRecipientsRefused 451"
    sink.mood = "accept"
    with frozen_at(row.not_before):
        dispatcher.drain()
    assert ids(sink) == [row.message_id]


def test_an_email_without_a_reply_is_sent_again_under_the_same_id(sink: SmtpSink) -> None:
    sink.mood = "cut"
    (row,) = emails(1)
    dispatcher.drain()
    row.refresh_from_db()
    assert not row.sent_at
    sink.mood = "accept"
    with frozen_at(row.not_before):
        dispatcher.drain()
    assert ids(sink) == [row.message_id] * 2
    row.refresh_from_db()
    assert row.sent_at


def test_after_a_broken_connection_the_next_email_gets_a_new_one(sink: SmtpSink) -> None:
    sink.mood = "cut once"
    emails(3)
    dispatcher.drain()
    assert Dispatch.objects.filter(sent_at__isnull=False).count() == 2
    assert sink.connections == 2


def test_an_unreachable_server_is_tried_once_per_batch(sink: SmtpSink) -> None:
    emails(20)
    sink.stop()
    instant = now()
    with frozen_at(instant):
        assert dispatcher.drain() == 20
    for row in at_least(20, Dispatch.objects.all()):
        assert row.error == "ServiceUnavailable (ConnectionRefusedError)"
        assert row.not_before < instant + timedelta(seconds=37)
    sink.start()
    with frozen_at(instant + timedelta(seconds=37)):
        dispatcher.drain()
    assert len(set(ids(sink))) == 20


def try_each_hour(hours: Iterable[int]) -> None:
    """Drain the outbox at each of these hours from now."""
    instant = now()
    for hour in hours:
        with frozen_at(instant + timedelta(hours=hour)):
            dispatcher.drain()


def test_a_day_without_a_mail_server_loses_nothing(sink: SmtpSink) -> None:
    (row,) = emails(1)
    sink.stop()
    try_each_hour(range(24))
    row.refresh_from_db()
    assert row.attempts == 24 and not row.dead_at


def test_a_database_that_fails_once_after_hours_without_a_mail_server_loses_nothing(
    sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = emails(1)
    sink.stop()
    try_each_hour(range(20))
    sink.start()
    with monkeypatch.context() as patched:
        patched.setattr(registry, "handler_of", lambda key: database_is_full)
        try_each_hour([21])
    row.refresh_from_db()
    assert row.attempts == 21 and not row.dead_at
    try_each_hour([23])
    row.refresh_from_db()
    assert row.sent_at and len(ids(sink)) == 1


def database_is_full(dispatch: Dispatch, batch: Batch) -> None:
    raise OperationalError("database or disk is full")


def test_after_three_days_without_a_mail_server_the_row_is_dropped(sink: SmtpSink) -> None:
    (row,) = emails(1)
    sink.stop()
    try_each_hour(range(0, 73, 6))
    row.refresh_from_db()
    assert row.dead_at
    assert not mail.outbox
