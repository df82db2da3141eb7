"""Slow calls to a user's URLs delay neither e-mails nor the calls of other users."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games.outbox import registry
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.outbox.registry import external_keys
from lib.db_clock import frozen_at, now
from tests.outbox.handlers import post

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


class Clock:
    """A clock that advances only during calls."""

    seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(dispatcher, "time", clock)
    return clock


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Dispatch]]:
    """The delivered rows, in order."""
    done: list[Dispatch] = []
    deliver = dispatcher.deliver

    def recording_deliver(dispatch: Dispatch, batch: Batch) -> None:
        done.append(dispatch)
        deliver(dispatch, batch)

    monkeypatch.setattr(dispatcher, "deliver", recording_deliver)
    yield done


@pytest.fixture
def calls_take(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Callable[..., None]:
    """calls_take(7): each call of Alice's takes seven seconds, other users' calls none."""

    def take(seconds: float, meanwhile: Callable[[], None] = lambda: None) -> None:
        def on_call(dispatch: Dispatch, batch: Batch) -> None:
            if str(dispatch.user) == "Alice":
                clock.seconds += seconds
                meanwhile()

        handler_of = registry.handler_of
        monkeypatch.setattr(
            registry, "handler_of", lambda key: on_call if key == "call" else handler_of(key)
        )

    return take


def call(user: User, count: int = 1) -> None:
    first = Dispatch.objects.count()
    for match in range(first, first + count):
        post("call", user=user, match=match)


def test_a_handler_declares_that_it_calls_other_servers() -> None:
    assert external_keys() == ("call",)


def test_emails_go_before_calls_that_are_due_for_longer(alice: User, done: list[Dispatch]) -> None:
    call(alice)
    post("nothing", match=1)
    assert dispatcher.drain() == 2
    assert [row.event for row in done] == ["nothing", "call"]


def test_an_email_waits_for_at_most_one_slow_call(
    alice: User, bob: User, done: list[Dispatch], calls_take: Callable[..., None]
) -> None:
    call(alice)
    call(bob, 5)
    calls_take(7, meanwhile=lambda: post("nothing", match=1))
    dispatcher.drain()
    assert [row.event for row in done] == ["call", "nothing"] + ["call"] * 5


def test_an_email_that_arrives_during_the_last_call_needs_no_other_drain(
    alice: User, done: list[Dispatch], calls_take: Callable[..., None]
) -> None:
    call(alice)
    calls_take(0.1, meanwhile=lambda: post("nothing", match=1))
    dispatcher.drain()
    assert [row.event for row in done] == ["call", "nothing"]


def test_a_slow_address_delays_no_other(
    alice: User, bob: User, done: list[Dispatch], calls_take: Callable[..., None]
) -> None:
    """More of Alice's calls are due than one claim takes; each succeeds slowly."""
    call(alice, dispatcher.BATCH_ROWS + 20)
    call(bob)
    calls_take(7)
    instant = now()
    with frozen_at(instant):
        assert dispatcher.drain() == 2
    assert [str(row.user) for row in done] == ["Alice", "Bob"]
    rest = Dispatch.objects.filter(sent_at=None)
    assert rest.count() == dispatcher.BATCH_ROWS + 19
    for row in rest:
        assert row.lease_until is None and row.attempts == 0
        assert row.not_before == instant + dispatcher.PER_USER_PAUSE
    with frozen_at(instant + dispatcher.PER_USER_PAUSE):
        assert dispatcher.drain() == 1


def test_a_fast_address_is_not_postponed(alice: User, calls_take: Callable[..., None]) -> None:
    call(alice, 40)
    calls_take(0.1)
    assert dispatcher.drain() == 40


def test_calls_beyond_the_time_budget_are_left_to_the_next_drain(
    alice: User,
    bob: User,
    calls_take: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(dispatcher, "wake_worker", lambda: woken.append(1))
    call(alice)
    call(bob, 3)
    calls_take(settings.OUTBOX_LEASE_SECONDS / 3)
    assert dispatcher.drain() == 1
    assert woken == [1]
    assert Dispatch.objects.filter(sent_at=None, lease_until=None).count() == 3
    assert dispatcher.drain() == 3


def test_a_dispatcher_that_died_in_a_call_loses_nothing(alice: User) -> None:
    call(alice, 2)
    instant = now()
    with frozen_at(instant):
        assert len(dispatcher.claim(external=True)) == 2
        assert dispatcher.drain() == 0
    with frozen_at(instant + timedelta(seconds=91)):
        assert dispatcher.drain() == 2


def test_without_calls_one_query_is_enough(
    django_assert_num_queries: Any,
) -> None:
    with frozen_at(now()), django_assert_num_queries(1):
        assert dispatcher.claim(external=True) == []


@pytest.mark.parametrize("external", [False, True])
def test_both_kinds_are_found_by_their_index(external: bool) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # With so few rows it would rather read them all.
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "dispatch_waiting" in dispatcher.due(now(), external=external)[:100].explain()
