"""Simulated months, short of the long run of `make soak`; and whether they would notice."""

import os
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection

from games.mail import stationery
from games.play import clock, ledger, outages
from games.relay import carrier
from games.relay.models import Dispatch
from games.relay.moment import present
from tests.simulation.simulate import simulate

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "sqlite", reason="What is simulated lies above the database."
    ),
]

CHUNKS = 4
SEEDS = int(os.environ.get("SIMULATED_MONTHS", 12)) // CHUNKS
WEEK = 7  # days; enough for a planted fault to show
PATIENCE = 20  # weeks within which it has to


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_is_lost_doubled_or_late(chunk: int) -> None:
    crashes = letters = 0
    for seed in range(chunk, CHUNKS * SEEDS, CHUNKS):
        outcome = simulate(seed)
        assert not outcome.faults, f"Seed {seed}: {outcome.faults}"
        crashes += outcome.crashes
        letters += outcome.letters
    assert crashes and letters, "Something should have happened."


def test_the_same_seed_is_the_same_month_to_the_byte() -> None:
    one, again, other = (simulate(seed, days=WEEK).digest for seed in (7, 7, 8))
    assert one == again != other


def seeds_that_notice(**options: Any) -> Iterator[str]:
    for seed in range(PATIENCE):
        yield from simulate(seed, days=WEEK, **options).faults


def test_a_letter_marked_before_it_is_sent_would_be_noticed(monkeypatch: Any) -> None:
    deliver = carrier.deliver

    def marked_first(dispatch: Dispatch, batch: Any) -> None:
        Dispatch.objects.filter(pk=dispatch.pk).update(sent_at=present())
        deliver(dispatch, batch)

    monkeypatch.setattr(carrier, "deliver", marked_first)
    assert any("never came" in fault for fault in seeds_that_notice())


def test_a_letter_that_changes_its_name_would_be_noticed(monkeypatch: Any) -> None:
    names, write = count(), stationery.write

    def renamed(*args: Any, **kwargs: Any) -> Any:
        letter = write(*args, **kwargs)
        letter.extra_headers["Message-ID"] = f"<{next(names)}@localhost>"
        return letter

    monkeypatch.setattr("games.mail.letters.write", renamed)
    assert any("nobody has posted" in fault for fault in seeds_that_notice())


def test_a_sweep_without_patience_would_be_noticed(monkeypatch: Any) -> None:
    monkeypatch.setattr(clock, "GRACE", timedelta(0))
    assert any("too early" in fault for fault in seeds_that_notice())


def test_a_turn_that_nobody_is_told_of_would_be_noticed(monkeypatch: Any) -> None:
    post, turns = ledger.outbox.post, count()

    def forgetful(event: str, **named: Any) -> None:
        if event != "turn-came" or next(turns) % 50:
            post(event, **named)

    monkeypatch.setattr(ledger.outbox, "post", forgetful)
    assert any("was told 0 times" in fault for fault in seeds_that_notice())


def test_a_move_that_comes_late_would_be_noticed(monkeypatch: Any) -> None:
    monkeypatch.setattr(ledger.Table, "is_late", lambda table, seat: False)
    # The sweep leaves them time to be late.
    monkeypatch.setattr(clock, "GRACE", timedelta(hours=3))
    assert any("came late" in fault for fault in seeds_that_notice())


def test_time_that_is_given_back_twice_would_be_noticed(monkeypatch: Any) -> None:
    lengthen = outages.clocks.lengthen

    def twice(player: Any, more: timedelta, at: Any, **least: Any) -> Any:
        return lengthen(player, 2 * more, at, **least)

    monkeypatch.setattr(outages.clocks, "lengthen", twice)
    # So that the service is often down.
    assert any("should have" in fault for fault in seeds_that_notice(rate=0.03))
