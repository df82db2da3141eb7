"""Two carriers with rows of the same reader in hand: one letter, and never none."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from accounts.models import User
from games.mail import delivery, digests, handlers
from games.relay import carrier
from games.relay.models import WAITING, Dispatch
from games.relay.moment import standing_at
from games.relay.outbox import Batch
from tests.hands import at_once
from tests.mail.reading import delivered
from tests.play import tables
from tests.servers import SmtpSink

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)
RHYTHMS = {
    "calm": NOON + timedelta(minutes=16),
    "daily": datetime(2026, 1, 21, 8, tzinfo=UTC),
}
LEASE = timedelta(seconds=90)


@pytest.fixture(params=RHYTHMS)
def due(request: pytest.FixtureRequest, bob: User, wish: Callable[..., None]) -> datetime:
    """When a letter about two turns of Bob's is due, which is all that waits."""
    wish(bob, zone="UTC", rhythm=request.param, first_hour=8)
    with standing_at(NOON):
        people = tables.People(*User.objects.order_by("pk"))
        for _ in range(2):
            tables.running_match(people, "a4-a5")
        delivered()
    Dispatch.objects.filter(WAITING).exclude(event="turn-came", user=bob).delete()
    assert Dispatch.objects.filter(WAITING).count() == 2
    return RHYTHMS[request.param]


@pytest.fixture
def sink(settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    return smtp_sink


def deliver(row: Dispatch) -> None:
    batch = Batch([row])
    carrier.deliver(row, batch)
    batch.close()


class Killed(BaseException):
    """What a process leaves undone when it is killed with a letter in hand."""


def meanwhile(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], None]) -> None:
    """Have this done once, while the first letter is about to be handed to the mail server."""
    deeds = [deed]

    def send(*about: object, **more: object) -> None:
        if deeds:
            deeds.pop()()
        delivery.send(*about, **more)

    for room in (digests, handlers):
        monkeypatch.setattr(room, "send", send)


def test_while_one_talks_to_the_mail_server_the_other_waits(
    due: datetime, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    with standing_at(due):
        (first,), (second,) = carrier.claim(1), carrier.claim(1)
        meanwhile(monkeypatch, lambda: deliver(second))
        deliver(first)
    assert len(sink.letters) == 1
    with standing_at(due + LEASE):
        carrier.drain()
    assert len(sink.letters) == 1
    assert not Dispatch.objects.filter(WAITING).exists()


def test_what_was_sent_since_it_was_claimed_is_not_sent_again(
    due: datetime, sink: SmtpSink
) -> None:
    with standing_at(due):
        (first,), (second,) = carrier.claim(1), carrier.claim(1)
        deliver(first)
        deliver(second)
    assert len(sink.letters) == 1
    assert not Dispatch.objects.filter(WAITING).exists()


def test_a_letter_that_was_not_taken_leaves_the_way_to_the_other(
    due: datetime, sink: SmtpSink
) -> None:
    with standing_at(due):
        (first,), (second,) = carrier.claim(1), carrier.claim(1)
        sink.mood = "busy"
        deliver(first)
        sink.mood = "accept"
        deliver(second)
    # A digest was to be sent for both, so both wait until it is tried again.
    with standing_at(due + LEASE):
        carrier.drain()
    assert len(sink.letters) == 1
    assert not Dispatch.objects.filter(WAITING).exists()


def test_a_letter_that_fails_while_another_waits_still_comes(
    due: datetime, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    with standing_at(due):
        (first,), (second,) = carrier.claim(1), carrier.claim(1)
        meanwhile(monkeypatch, lambda: deliver(second))
        sink.mood = "busy"
        deliver(first)
    sink.mood = "accept"
    with standing_at(due + LEASE):
        carrier.drain()
    assert len(sink.letters) == 1


def test_a_carrier_that_is_killed_with_a_letter_in_hand_keeps_it_from_nobody(
    due: datetime, sink: SmtpSink, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = User.objects.filter(pk=bob.pk)
    left: dict[str, object] = {}

    def die() -> None:
        left.update(kept.values("in_hand_until", "hushed").get())
        raise Killed

    with standing_at(due):
        (first,) = carrier.claim(1)
        meanwhile(monkeypatch, die)
        with pytest.raises(Killed):
            deliver(first)
        # A process that is killed takes nothing back.
        assert left["in_hand_until"] == first.lease_until
        kept.update(**left)
        carrier.drain()
    assert sink.letters == []
    with standing_at(due + LEASE):
        carrier.drain()
    assert len(sink.letters) == 1
    assert not Dispatch.objects.filter(WAITING).exists()


def test_two_threads_send_one_letter(apart: None, due: datetime, sink: SmtpSink) -> None:
    sink.delay = 0.5
    with standing_at(due):
        rows = carrier.claim(1) + carrier.claim(1)

    def carry(row: Dispatch) -> None:
        with standing_at(due):
            deliver(row)

    at_once(*[lambda row=row: carry(row) for row in rows])
    assert len(sink.letters) == 1
    with standing_at(due + LEASE):
        carrier.drain()
    assert len(sink.letters) == 1
    assert not Dispatch.objects.filter(WAITING).exists()
