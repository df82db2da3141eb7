"""Simulated months, and whether the checks find planted faults."""

import os
from collections.abc import Iterator
from datetime import timedelta
from itertools import count, product
from typing import Any

import pytest
from django.db import connection

from games.mail import intake
from games.mail.models import WayIn
from games.notifications.email.composing import message
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from games.outbox.events import Event
from games.outbox.models import Dispatch
from games.play import time_controls
from games.play.clocks import running
from games.play.record import match_store
from lib.db_clock import now_expression
from tests import tiers
from tests.simulation.simulate import simulate

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long,
    pytest.mark.skipif(
        connection.vendor != "sqlite", reason="What is simulated lies above the database."
    ),
]

CHUNKS = 2
MONTHS = int(os.environ.get("SIMULATED_MONTHS", 2))
FAST_DAYS = 10  # in the fast tier
WEEK = 7  # days; enough for a planted fault to show
PATIENCE = 20  # weeks within which it has to show


@pytest.mark.parametrize(
    ("chunk", "days"),
    tiers.parameters([(0, FAST_DAYS), *product(range(CHUNKS), [30])], fast=[(0, FAST_DAYS)]),
)
def test_nothing_is_lost_doubled_or_late(chunk: int, days: int) -> None:
    crashes = emails = messages = 0
    for seed in range(chunk, MONTHS, CHUNKS):
        outcome = simulate(seed, days=days)
        assert not outcome.faults, f"Seed {seed}: {outcome.faults}"
        crashes += outcome.crashes
        emails += outcome.emails
        messages += outcome.messages
    assert crashes and emails and messages, "Something should have happened."


@pytest.mark.soak
def test_the_same_seed_is_the_same_month_to_the_byte() -> None:
    one, again, other = (simulate(seed, days=WEEK).digest for seed in (7, 7, 8))
    assert one == again != other


def seeds_that_notice(**options: Any) -> Iterator[str]:
    for seed in range(PATIENCE):
        yield from simulate(seed, days=WEEK, **options).faults


# Each fault, planted. In the fast tier one, which is noticed like the others.
def test_an_email_marked_before_it_is_sent_would_be_noticed(monkeypatch: Any) -> None:
    deliver = dispatcher.deliver

    def marked_first(dispatch: Dispatch, batch: Any) -> None:
        Dispatch.objects.filter(pk=dispatch.pk).update(sent_at=now_expression())
        deliver(dispatch, batch)

    monkeypatch.setattr(dispatcher, "deliver", marked_first)
    assert any("never came" in fault for fault in seeds_that_notice())


@pytest.mark.soak
def test_an_email_that_changes_its_name_would_be_noticed(monkeypatch: Any) -> None:
    names, write = count(), message.compose

    def renamed(*args: Any, **kwargs: Any) -> Any:
        email = write(*args, **kwargs)
        email.extra_headers["Message-ID"] = f"<{next(names)}@localhost>"
        return email

    monkeypatch.setattr("games.notifications.email.composing.match_emails.compose", renamed)
    assert any("nobody has posted" in fault for fault in seeds_that_notice())


@pytest.mark.soak
def test_a_sweep_without_patience_would_be_noticed(monkeypatch: Any) -> None:
    monkeypatch.setattr(time_controls, "DEADLINE_GRACE", timedelta(0))
    assert any("too early" in fault for fault in seeds_that_notice())


@pytest.mark.soak
def test_a_turn_without_a_notification_would_be_noticed(monkeypatch: Any) -> None:
    publish, turns = publishing.publish, count()

    def forgetful(event: Event, **how: Any) -> None:
        if event.name != "turn-came" or next(turns) % 50:
            publish(event, **how)

    monkeypatch.setattr(publishing, "publish", forgetful)
    assert any("was notified 0 times" in fault for fault in seeds_that_notice())


@pytest.mark.soak
def test_a_move_that_comes_late_would_be_noticed(monkeypatch: Any) -> None:
    monkeypatch.setattr(match_store.MatchState, "is_late", lambda table, seat: False)
    # The sweep leaves them time to be late.
    monkeypatch.setattr(time_controls, "DEADLINE_GRACE", timedelta(hours=3))
    assert any("came late" in fault for fault in seeds_that_notice())


@pytest.mark.soak
def test_time_that_is_given_back_twice_would_be_noticed(monkeypatch: Any) -> None:
    longer = running.longer

    def twice(player: Any, more: timedelta, at: Any, **least: Any) -> Any:
        return longer(player, 2 * more, at, **least)

    monkeypatch.setattr(running, "longer", twice)
    # So that the service is often down.
    assert any("should have" in fault for fault in seeds_that_notice(rate=0.03))


@pytest.mark.soak
def test_a_message_that_is_lost_would_be_noticed(monkeypatch: Any) -> None:
    take, numbers = intake.store_message, count()

    def forgetful(*message: Any, way_in: WayIn) -> None:
        if next(numbers) % 5:
            take(*message, way_in=way_in)

    monkeypatch.setattr(intake, "store_message", forgetful)
    assert any("has 0 receipts" in fault for fault in seeds_that_notice())
