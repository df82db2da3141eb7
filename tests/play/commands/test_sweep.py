"""Deadline sweep: it continues until nothing is due, runs alone, and skips a broken match."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.outbox import leases
from games.outbox.models import Lease
from games.play import time_controls
from games.play.commands import deadlines, endings
from games.play.models.match import Match, Player, Status
from games.play.models.time import Halt, HeldPlayer
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

HOUR = timedelta(hours=1)


@pytest.fixture
def overdue_matches(who: People, monkeypatch: pytest.MonkeyPatch) -> list[Match]:
    """Seven matches whose time is up, in batches of two."""
    monkeypatch.setattr(deadlines, "BATCH_CLOCKS", 2)
    matches = [match_helpers.running_match(who, "a4-a5") for _ in range(7)]
    late = now() - HOUR
    Player.objects.filter(to_act=True).update(
        deadline=late, check_at=late + time_controls.DEADLINE_GRACE
    )
    return matches


def running_count() -> int:
    return Match.objects.filter(status=Status.RUNNING).count()


def test_it_works_in_batches_until_nothing_is_due(overdue_matches: list[Match]) -> None:
    assert deadlines.sweep()["ended"] == 7


def test_it_stops_at_its_time_limit_and_the_next_run_continues(
    overdue_matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds: Iterator[float] = iter((0.0, 1.0, 2.0, 46.0))
    monkeypatch.setattr("games.play.commands.deadlines.time.monotonic", lambda: next(seconds))
    assert deadlines.sweep()["ended"] == 4
    monkeypatch.undo()
    assert deadlines.sweep()["ended"] == 3


def test_matches_that_cannot_be_ended_block_no_others(
    overdue_matches: list[Match], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    claim, broken = endings.claim_time, {match.pk for match in overdue_matches[:4]}

    def claim_time(match_id: int) -> bool:
        if match_id in broken:
            raise ValueError
        return claim(match_id)

    monkeypatch.setattr(endings, "claim_time", claim_time)
    assert deadlines.sweep()["ended"] == 3
    assert running_count() == 4
    assert caplog.text.count("could not be checked") == 4


def test_clocks_that_stay_due_are_checked_once_a_sweep(
    overdue_matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks whose deadline no heartbeat has followed yet, or whose check cannot be postponed."""
    checked: list[int] = []
    monkeypatch.setattr("games.play.commands.deadlines.running.check_later", lambda *_: None)
    monkeypatch.setattr(endings, "claim_time", checked.append)
    deadlines.sweep()
    assert sorted(checked) == sorted(match.pk for match in overdue_matches)


def test_one_worker_sweeps_at_a_time_and_replaces_a_killed_one(
    overdue_matches: list[Match],
) -> None:
    at = now()
    with frozen_at(at):
        Lease.objects.create(name="sweep", until=at + leases.LEASE)
        assert not +deadlines.sweep()
    with frozen_at(at + leases.LEASE):
        assert deadlines.sweep()["ended"] == 7


def test_held_clocks_are_postponed_by_one_statement(
    who: People, overdue_matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    halt = Halt.objects.create(opened_at=now(), overdue=1)
    HeldPlayer.objects.create(halt=halt, user=who.bob)
    with CaptureQueriesContext(connection) as queries:
        assert deadlines.sweep()["held"] == 7
    assert sum('UPDATE "play_player"' in query["sql"] for query in queries) == 1
    assert not Player.objects.filter(check_at__lte=now()).exists()
