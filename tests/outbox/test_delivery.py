"""Outcomes of a row: sent, superseded, retried, given up."""

from datetime import timedelta

import pytest
from django.db import connection

from config.personal_data import retention
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import frozen_at, now
from tests.outbox.handlers import post

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def waiting_row(event: str) -> Dispatch:
    post(event, match=7)
    return Dispatch.objects.latest("pk")


def test_a_delivered_row_is_marked_as_sent() -> None:
    row = waiting_row("nothing")
    assert dispatcher.drain() == 1
    row.refresh_from_db()
    assert row.sent_at and not row.lease_until and not row.error
    assert dispatcher.drain() == 0


def test_an_outdated_row_is_superseded() -> None:
    row = waiting_row("stale")
    dispatcher.drain()
    row.refresh_from_db()
    assert row.superseded_at and not row.sent_at and not row.attempts


def test_each_failure_waits_twice_as_long_up_to_an_hour() -> None:
    row = waiting_row("mistake")
    instant = now()
    for attempt, seconds in enumerate([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600]):
        with frozen_at(instant):
            assert dispatcher.drain() == 1
            assert dispatcher.drain() == 0
        row.refresh_from_db()
        assert row.attempts == attempt + 1
        wait = (row.not_before - instant).total_seconds()
        assert 0.8 * seconds <= wait <= 1.2 * seconds
        instant = row.not_before


def test_a_mistake_of_ours_is_dropped_after_twelve_attempts() -> None:
    row = waiting_row("mistake")
    Dispatch.objects.update(attempts=11)
    dispatcher.drain()
    row.refresh_from_db()
    assert row.dead_at and row.attempts == 12
    with frozen_at(now() + timedelta(days=1)):
        assert dispatcher.drain() == 0


def test_an_error_is_stored_without_its_text() -> None:
    row = waiting_row("mistake")
    dispatcher.drain()
    row.refresh_from_db()
    assert row.error.startswith("KeyError at handlers.py:")


def test_a_failed_row_blocks_no_other() -> None:
    waiting_row("mistake")
    row = waiting_row("nothing")
    assert dispatcher.drain() == 2
    row.refresh_from_db()
    assert row.sent_at


def test_a_row_of_another_version_is_kept_until_that_version_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    row = waiting_row("nothing")
    instant = now()
    Dispatch.objects.update(handler="pigeon")
    for hours in range(0, 200, 2):
        with frozen_at(instant + timedelta(hours=hours)):
            assert dispatcher.drain() == 1
            assert dispatcher.drain() == 0
    row.refresh_from_db()
    assert not row.dead_at and not row.attempts and row.error == "OtherVersion: handler pigeon"
    assert "is kept: this version of the program does not know its handler pigeon." in caplog.text
    Dispatch.objects.update(handler="nothing")
    with frozen_at(instant + timedelta(hours=300)):
        dispatcher.drain()
    row.refresh_from_db()
    assert row.sent_at


def test_claimed_rows_are_not_claimed_by_another_dispatcher() -> None:
    waiting_row("nothing")
    assert len(dispatcher.claim()) == 1
    assert dispatcher.claim() == []


def test_rows_of_a_killed_dispatcher_are_delivered_when_its_lease_ends() -> None:
    row = waiting_row("nothing")
    instant = now()
    with frozen_at(instant):
        dispatcher.claim()
    with frozen_at(instant + timedelta(seconds=89)):
        assert dispatcher.drain() == 0
    with frozen_at(instant + timedelta(seconds=91)):
        assert dispatcher.drain() == 1
    row.refresh_from_db()
    assert row.sent_at and not row.attempts


def test_a_dispatcher_whose_lease_has_ended_cannot_update_the_row() -> None:
    waiting_row("mistake")
    (slow,) = dispatcher.claim()
    with frozen_at(now() + timedelta(seconds=91)):
        (quick,) = dispatcher.claim()
    dispatcher.deliver(slow, Batch())
    quick.refresh_from_db()
    assert quick.lease_until and not quick.attempts


def test_a_claim_takes_at_most_a_hundred_and_the_longest_due_first() -> None:
    instant = now()
    Dispatch.objects.bulk_create(
        Dispatch(
            event="nothing",
            handler="nothing",
            dedupe=str(number),
            created_at=instant,
            not_before=instant - timedelta(seconds=number),
        )
        for number in range(150)
    )
    claimed = dispatcher.claim()
    assert [row.dedupe for row in claimed] == [str(number) for number in range(149, 49, -1)]
    assert len(dispatcher.claim()) == 50


def test_a_row_that_is_not_due_is_not_delivered() -> None:
    waiting_row("nothing")
    Dispatch.objects.update(not_before=now() + timedelta(seconds=5))
    assert dispatcher.drain() == 0


def test_a_dispatch_can_be_sent_again() -> None:
    row = waiting_row("nothing")
    dispatcher.drain()
    assert dispatcher.send_again(Dispatch.objects.all()) == 1
    assert dispatcher.drain() == 1
    row.refresh_from_db()
    assert row.sent_at


def test_rows_closed_a_month_ago_are_deleted() -> None:
    for event in ("nothing", "stale", "mistake"):
        waiting_row(event)
    dispatcher.drain()
    Dispatch.objects.update(created_at=now() - timedelta(days=31))
    post("nothing", match=8)
    retention.clean_up()
    assert {row.event for row in Dispatch.objects.all()} == {"mistake", "nothing"}


def test_due_rows_are_found_by_their_index() -> None:
    due = Dispatch.objects.filter(PENDING, not_before__lte=now()).order_by("not_before")[:100]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # With so few rows, PostgreSQL would choose a scan.
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "dispatch_waiting" in due.explain()
