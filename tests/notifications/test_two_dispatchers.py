"""Two dispatchers with rows of one reader send exactly one e-mail."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from games.notifications.email import digests, single
from games.notifications.email.sending import delivery
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import frozen_at
from tests.concurrent import at_once
from tests.notifications.email.reading import delivered
from tests.play import match_helpers
from tests.servers import SmtpSink

pytestmark = pytest.mark.postgresql

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)
FREQUENCIES = {
    "calm": NOON + timedelta(minutes=16),
    "daily": datetime(2026, 1, 21, 8, tzinfo=UTC),
}
LEASE = timedelta(seconds=90)


@pytest.fixture(params=FREQUENCIES)
def due_at(request: pytest.FixtureRequest, bob: User, prefer: Callable[..., None]) -> datetime:
    """When the one waiting e-mail, about two turns of Bob's, is due."""
    prefer(bob, zone="UTC", frequency=request.param, first_hour=8)
    with frozen_at(NOON):
        people = match_helpers.People(*User.objects.order_by("pk"))
        for _ in range(2):
            match_helpers.running_match(people, "a4-a5")
        delivered()
    Dispatch.objects.filter(PENDING).exclude(event="turn-came", user=bob).delete()
    assert Dispatch.objects.filter(PENDING).count() == 2
    return FREQUENCIES[request.param]


@pytest.fixture
def sink(settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    return smtp_sink


def deliver(row: Dispatch) -> None:
    with closing(Batch([row])) as batch:
        dispatcher.deliver(row, batch)


class Killed(BaseException):
    """Raised where a process is killed while it sends an e-mail."""


def run_before_sending(monkeypatch: pytest.MonkeyPatch, action: Callable[[], None]) -> None:
    """Run this once, just before the first e-mail is given to the mail server."""
    actions = [action]

    def send(*about: Any, **more: Any) -> None:
        if actions:
            actions.pop()()
        delivery.send(*about, **more)

    for room in (digests, single):
        monkeypatch.setattr(room, "send", send)


def test_a_dispatcher_waits_while_another_sends(
    due_at: datetime, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    with frozen_at(due_at):
        (first,), (second,) = dispatcher.claim(1), dispatcher.claim(1)
        run_before_sending(monkeypatch, lambda: deliver(second))
        deliver(first)
    assert len(sink.emails) == 1
    with frozen_at(due_at + LEASE):
        dispatcher.drain()
    assert len(sink.emails) == 1
    assert not Dispatch.objects.filter(PENDING).exists()


def test_rows_sent_since_the_claim_are_not_sent_again(due_at: datetime, sink: SmtpSink) -> None:
    with frozen_at(due_at):
        (first,), (second,) = dispatcher.claim(1), dispatcher.claim(1)
        deliver(first)
        deliver(second)
    assert len(sink.emails) == 1
    assert not Dispatch.objects.filter(PENDING).exists()


def test_an_undelivered_email_is_left_to_the_other_dispatcher(
    due_at: datetime, sink: SmtpSink
) -> None:
    with frozen_at(due_at):
        (first,), (second,) = dispatcher.claim(1), dispatcher.claim(1)
        sink.mood = "busy"
        deliver(first)
        sink.mood = "accept"
        deliver(second)
    # A digest was to be sent for both, so both wait until it is tried again.
    with frozen_at(due_at + LEASE):
        dispatcher.drain()
    assert len(sink.emails) == 1
    assert not Dispatch.objects.filter(PENDING).exists()


def test_an_email_that_fails_while_another_waits_is_still_sent(
    due_at: datetime, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    with frozen_at(due_at):
        (first,), (second,) = dispatcher.claim(1), dispatcher.claim(1)
        run_before_sending(monkeypatch, lambda: deliver(second))
        sink.mood = "busy"
        deliver(first)
    sink.mood = "accept"
    with frozen_at(due_at + LEASE):
        dispatcher.drain()
    assert len(sink.emails) == 1


def test_a_dispatcher_killed_while_sending_does_not_block_the_other(
    due_at: datetime, sink: SmtpSink, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = User.objects.filter(pk=bob.pk)
    left: dict[str, object] = {}

    def die() -> None:
        left.update(kept.values("in_hand_until", "hushed").get())
        raise Killed

    with frozen_at(due_at):
        (first,) = dispatcher.claim(1)
        run_before_sending(monkeypatch, die)
        with pytest.raises(Killed):
            deliver(first)
        # A killed process does not roll back its claim.
        assert left["in_hand_until"] == first.lease_until
        kept.update(**left)
        dispatcher.drain()
    assert sink.emails == []
    with frozen_at(due_at + LEASE):
        dispatcher.drain()
    assert len(sink.emails) == 1
    assert not Dispatch.objects.filter(PENDING).exists()


def test_two_threads_send_one_email(apart: None, due_at: datetime, sink: SmtpSink) -> None:
    sink.delay = 0.5
    with frozen_at(due_at):
        rows = dispatcher.claim(1) + dispatcher.claim(1)

    def deliver_when_due(row: Dispatch) -> None:
        with frozen_at(due_at):
            deliver(row)

    at_once(*[lambda row=row: deliver_when_due(row) for row in rows])
    assert len(sink.emails) == 1
    with frozen_at(due_at + LEASE):
        dispatcher.drain()
    assert len(sink.emails) == 1
    assert not Dispatch.objects.filter(PENDING).exists()
