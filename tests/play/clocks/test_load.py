"""Load: no player gets time back for an outage that requests of one account have caused."""

import threading
import time
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from accounts.models import User
from games.play.clocks import load, settlement
from games.play.models.match import Match, Player, Status
from games.play.models.time import Adjustment, HeavyRequest, Outage
from games.play.views import health
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.service import beat_at

pytestmark = pytest.mark.postgresql_soak

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def to_act(match: Match) -> Player:
    return match.players.get(to_act=True)


def heavy(user: User, start: datetime, minutes: float, share: float = 1.0) -> None:
    span = minutes * MINUTE
    HeavyRequest.objects.create(
        user=user, start=start, end=start + span, cpu_seconds=share * span.total_seconds()
    )


def test_no_clock_is_credited_for_an_outage_that_one_account_caused(
    match: Match, who: People
) -> None:
    start, before = to_act(match).since, to_act(match)
    heavy(who.charlie, start + MINUTE, 1.5)
    heavy(who.charlie, start + 2 * MINUTE, 1.5)
    beat_at(start + MINUTE, start + 4 * MINUTE)
    outage = Outage.objects.get()
    assert outage.caused_by_id == who.charlie.pk
    assert outage.credited_at
    after = to_act(match)
    assert (after.deadline, after.bank) == (before.deadline, before.bank)
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize("share", [0.4, 0.0])
def test_an_account_with_less_than_half_of_an_outage_did_not_cause_it(
    match: Match, who: People, share: float
) -> None:
    start, before = to_act(match).since, to_act(match)
    heavy(who.charlie, start + MINUTE, 3, share)
    heavy(who.bob, start + MINUTE, 3, share)
    beat_at(start + MINUTE, start + 4 * MINUTE)
    assert Outage.objects.get().caused_by_id is None
    assert to_act(match).deadline == before.deadline + 3 * MINUTE


def test_load_before_or_after_an_outage_did_not_cause_it(match: Match, who: People) -> None:
    start = to_act(match).since
    heavy(who.charlie, start, 10)
    heavy(who.charlie, start + 13 * MINUTE, 10)
    beat_at(start, start + 10 * MINUTE - timedelta(seconds=1))
    Outage.objects.all().delete()
    beat_at(start + 13 * MINUTE)
    assert Outage.objects.get().caused_by_id is None


def run_out_in_a_stall(match: Match, culprit: User) -> tuple[datetime, datetime]:
    """Stall for three minutes, in which the clock runs out; returns the deadline and the end."""
    player = to_act(match)
    deadline = player.deadline
    heavy(culprit, deadline - MINUTE, 3)
    beat_at(deadline - MINUTE, deadline + 2 * MINUTE)
    return deadline, deadline + 2 * MINUTE


def test_a_clock_that_ran_out_in_a_stall_gets_its_time_again(match: Match, who: People) -> None:
    _deadline, end = run_out_in_a_stall(match, who.bob)
    assert to_act(match).deadline == end + 3 * MINUTE
    with frozen_at(end + MINUTE):
        match_helpers.play(match, "a4-a5")
    match.refresh_from_db()
    assert match.status == Status.RUNNING


def test_the_clock_of_the_player_who_caused_it_does_not(match: Match, who: People) -> None:
    deadline, _end = run_out_in_a_stall(match, who.alice)
    assert to_act(match).user_id == who.alice.pk
    assert to_act(match).deadline == deadline


def test_the_settlement_credits_only_the_other_clocks(match: Match, who: People) -> None:
    other = match_helpers.running_match(who)
    start = to_act(match).since
    Player.objects.filter(match=match, to_act=True).update(
        bank=3 * MINUTE, deadline=start + 3 * MINUTE
    )
    before = to_act(other).deadline
    Outage.objects.create(
        start=start + MINUTE, end=start + 4 * MINUTE, stalled=True, caused_by=who.charlie
    )
    with frozen_at(start + 4 * MINUTE):
        assert settlement.settle() == 1
    assert to_act(other).deadline == before
    assert to_act(match).deadline == start + 7 * MINUTE


def burn(seconds: float) -> None:
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass


@pytest.fixture
def request_of_alice(alice: User, rf: RequestFactory) -> load.Work:
    request = rf.get("/")
    request._cached_user = alice  # type: ignore[attr-defined]
    return load.Work(request)


def test_a_heavy_request_is_stored_when_it_ends(
    request_of_alice: load.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.1)
    work = load.begin(request_of_alice.request)
    burn(0.2)
    load.end(work)
    row = HeavyRequest.objects.get()
    assert row.user_id == request_of_alice.user_id
    assert row.cpu_seconds >= 0.2 and row.start < row.end <= now()


def test_a_response_does_not_fail_if_its_row_cannot_be_stored(
    alice_client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OperationalError("disk full")

    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.0)
    monkeypatch.setattr(HeavyRequest, "save", full)
    assert alice_client.get("/").status_code == 200
    assert "could not be stored (OperationalError)" in caplog.text


def test_a_request_that_only_waits_is_not_stored(
    request_of_alice: load.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.1)
    work = load.begin(request_of_alice.request)
    time.sleep(0.2)
    load.end(work)
    assert not HeavyRequest.objects.exists()


def test_a_running_heavy_request_is_stored_before_the_process_reports_ready(
    request_of_alice: load.Work, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.1)
    monkeypatch.setattr(health, "_checked_at", float("-inf"))
    burnt, go_on = threading.Event(), threading.Event()

    def answer() -> None:
        load.begin(request_of_alice.request)
        burn(0.2)
        burnt.set()
        go_on.wait()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        assert burnt.wait(60)
        assert client.get("/health/ready").status_code == 204
        row = HeavyRequest.objects.get()
        assert row.cpu_seconds >= 0.2
        health._checked_at = float("-inf")
        assert client.get("/health/ready").status_code == 204
        assert HeavyRequest.objects.count() == 1
    finally:
        go_on.set()
        thread.join()
        load._in_hand.clear()


def test_requests_of_visitors_are_not_stored(
    rf: RequestFactory, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.0)
    load.end(load.begin(rf.get("/")))
    assert not HeavyRequest.objects.exists()


def test_pages_are_measured(alice_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "HEAVY_SECONDS", 0.0)
    assert alice_client.get("/").status_code == 200
    assert HeavyRequest.objects.count() == 1
    assert not load._in_hand
