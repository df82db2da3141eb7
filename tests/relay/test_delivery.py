"""What the carrier makes of a row: sent, overtaken, tried again, given up."""

from datetime import timedelta

import pytest
from django.db import connection

from games.relay import carrier
from games.relay.models import WAITING, Dispatch
from games.relay.moment import now, standing_at
from games.relay.outbox import Batch, post

pytestmark = pytest.mark.django_db


def waiting_row(event: str) -> Dispatch:
    post(event, match=7)
    return Dispatch.objects.latest("pk")


def test_what_is_done_is_marked_as_sent() -> None:
    row = waiting_row("nothing")
    assert carrier.drain() == 1
    row.refresh_from_db()
    assert row.sent_at and not row.lease_until and not row.error
    assert carrier.drain() == 0


def test_what_is_no_longer_true_is_overtaken() -> None:
    row = waiting_row("stale")
    carrier.drain()
    row.refresh_from_db()
    assert row.superseded_at and not row.sent_at and not row.attempts


def test_each_failure_waits_twice_as_long_up_to_an_hour() -> None:
    row = waiting_row("mistake")
    instant = now()
    for attempt, seconds in enumerate([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600]):
        with standing_at(instant):
            assert carrier.drain() == 1
            assert carrier.drain() == 0
        row.refresh_from_db()
        assert row.attempts == attempt + 1
        wait = (row.not_before - instant).total_seconds()
        assert 0.8 * seconds <= wait <= 1.2 * seconds
        instant = row.not_before


def test_a_mistake_of_ours_is_given_up_after_twelve_attempts() -> None:
    row = waiting_row("mistake")
    Dispatch.objects.update(attempts=11)
    carrier.drain()
    row.refresh_from_db()
    assert row.dead_at and row.attempts == 12
    with standing_at(now() + timedelta(days=1)):
        assert carrier.drain() == 0


def test_an_error_is_kept_without_its_words() -> None:
    row = waiting_row("mistake")
    carrier.drain()
    row.refresh_from_db()
    assert row.error.startswith("KeyError at handlers.py:")


def test_a_failed_row_holds_up_no_other() -> None:
    waiting_row("mistake")
    row = waiting_row("nothing")
    assert carrier.drain() == 2
    row.refresh_from_db()
    assert row.sent_at


def test_what_one_carrier_has_claimed_no_other_gets() -> None:
    waiting_row("nothing")
    assert len(carrier.claim()) == 1
    assert carrier.claim() == []


def test_what_a_dead_carrier_had_claimed_goes_out_when_its_lease_ends() -> None:
    row = waiting_row("nothing")
    instant = now()
    with standing_at(instant):
        carrier.claim()
    with standing_at(instant + timedelta(seconds=89)):
        assert carrier.drain() == 0
    with standing_at(instant + timedelta(seconds=91)):
        assert carrier.drain() == 1
    row.refresh_from_db()
    assert row.sent_at and not row.attempts


def test_a_carrier_whose_lease_has_ended_has_no_say_any_more() -> None:
    waiting_row("mistake")
    (slow,) = carrier.claim()
    with standing_at(now() + timedelta(seconds=91)):
        (quick,) = carrier.claim()
    carrier.deliver(slow, Batch())
    quick.refresh_from_db()
    assert quick.lease_until and not quick.attempts


def test_a_claim_takes_a_hundred_at_most_and_the_longest_due_first() -> None:
    instant = now()
    Dispatch.objects.bulk_create(
        Dispatch(
            event="nothing",
            handler="tests.relay.handlers.on_nothing",
            dedupe=str(number),
            created_at=instant,
            not_before=instant - timedelta(seconds=number),
        )
        for number in range(150)
    )
    claimed = carrier.claim()
    assert [row.dedupe for row in claimed] == [str(number) for number in range(149, 49, -1)]
    assert len(carrier.claim()) == 50


def test_what_is_not_due_stays_where_it_is() -> None:
    waiting_row("nothing")
    Dispatch.objects.update(not_before=now() + timedelta(seconds=5))
    assert carrier.drain() == 0


def test_a_dispatch_can_be_sent_again() -> None:
    row = waiting_row("nothing")
    carrier.drain()
    assert carrier.send_again(Dispatch.objects.all()) == 1
    assert carrier.drain() == 1
    row.refresh_from_db()
    assert row.sent_at


def test_what_was_closed_a_month_ago_is_forgotten() -> None:
    for event in ("nothing", "stale", "mistake"):
        waiting_row(event)
    carrier.drain()
    Dispatch.objects.update(created_at=now() - timedelta(days=31))
    post("nothing", match=8)
    assert carrier.tidy() == 2
    assert {row.event for row in Dispatch.objects.all()} == {"mistake", "nothing"}
    assert carrier.tidy() == 0


def test_the_due_are_found_by_the_index_made_for_them() -> None:
    due = Dispatch.objects.filter(WAITING, not_before__lte=now()).order_by("not_before")[:100]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # With so few rows it would rather read them all.
            cursor.execute("SET LOCAL enable_seqscan = off")
    assert "dispatch_waiting" in due.explain()
