"""Settlement: one worker credits all clocks of an outage in batches; one e-mail a player."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.notifications import catalogue
from games.notifications.policy import summaries
from games.outbox import leases
from games.outbox.models import Dispatch, Lease
from games.play.clocks import heartbeat, outages, settlement, vacations
from games.play.clocks.rest import Rest
from games.play.commands import courtesies, deadlines, endings, time_off
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage, Vacation
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.notifications.email.reading import delivered, only
from tests.play import match_helpers, service
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def copies(match: Match, count: int) -> list[Match]:
    """This many more matches with the same players and clocks; no move is possible in them."""
    players, copied = list(match.players.all()), []
    for _ in range(count):
        copy = as_is(match)
        copy.pk = None
        copy.save(force_insert=True)
        for player in players:
            player.pk, player.match = None, copy
        Player.objects.bulk_create(players)
        copied.append(copy)
    return copied


def outage(hours: int = 2) -> Outage:
    """The service was down until now, and the outage was noticed."""
    end = now()
    return Outage.objects.create(start=end - hours * HOUR, end=end)


@pytest.fixture
def match(match: Match) -> Match:
    """Alice has been on turn for a day."""
    since = now() - DAY
    match.players.filter(to_act=True).update(since=since, deadline=since + 3 * DAY)
    return match


def test_each_player_gets_one_email_for_all_clocks(match: Match, who: People) -> None:
    copies(match, 12)
    first = outage()
    assert settlement.settle() == 13
    (dispatches,) = Dispatch.objects.filter(event="clock-credited")
    assert (dispatches.user_id, dispatches.ref) == (who.alice.pk, {"outage": first.pk})
    outage()
    settlement.settle()
    assert Dispatch.objects.filter(event="clock-credited").count() == 2


def test_the_email_names_one_match_or_counts_several(match: Match, who: People) -> None:
    outage()
    settlement.settle()
    email = only(delivered(), who.alice)
    assert email.subject == f"Time was given back in match {match.pk} against Bob"
    more = copies(match, 31)
    outage()
    settlement.settle()
    email = only(delivered(), who.alice)
    assert email.subject == "Time was given back in 32 matches"
    assert email.body.count("against Bob") == 30
    assert f"Match {more[0].pk} against Bob" in email.body
    assert "And 2 more." in email.body


def test_other_channels_say_the_same_in_short(match: Match, who: People) -> None:
    copies(match, 2)
    outage()
    settlement.settle()
    notification = catalogue.find("clock-credited")
    view = notification.require_view(
        Dispatch.objects.select_related("user").get(event="clock-credited")
    )
    summary = summaries.about(notification, view)
    assert summary.title == "Time was given back in 3 matches"
    assert summary.link == summaries.absolute_url("/")


def test_a_match_that_has_ended_is_not_mentioned(match: Match, who: People) -> None:
    outage()
    settlement.settle()
    endings.abort(match.pk, who.alice)
    subjects = [str(one.subject) for one in at_least(1, delivered())]
    assert not [subject for subject in subjects if "given back" in subject]


def test_the_query_count_of_a_batch_does_not_depend_on_its_clocks(match: Match) -> None:
    counts = []
    for more in (0, 0, 40):
        copies(match, more)
        outage()
        with CaptureQueriesContext(connection) as queries:
            assert settlement.settle()
        counts.append(len(queries))
    # The first run creates the row of the lease.
    assert counts[1] == counts[2]


def test_vacations_are_read_once_per_batch(
    match: Match, who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Match.objects.update(vacations=True)
    at = now()
    Vacation.objects.create(user=who.alice, start=at + DAY, end=at + 5 * DAY)
    vacations.extend_away_until(who.alice, at + 5 * DAY)
    copies(match, 9)
    owed = outage()
    batch = outages.owed_among(list(outages.clocks_that_ran(owed)), owed)
    # Vacations, the clocks, the log; a transaction around the last two.
    with django_assert_num_queries(5):
        assert settlement.credit_batch(batch, owed) == 10
    assert set(Player.objects.filter(to_act=True).values_list("deadline")) == {(at + 5 * DAY,)}


def test_each_clock_gets_what_it_would_have_got_by_itself(match: Match, who: People) -> None:
    User.objects.filter(pk=who.alice.pk).update(
        rest=str(Rest(frozenset({5, 6}), (22, 8), "Europe/Paris"))
    )
    since = now() - DAY
    for number, copy in enumerate(copies(match, 30)):
        begun = since + number * HOUR
        copy.players.filter(to_act=True).update(since=begun, deadline=begun + 3 * DAY)
    owed = outage(hours=9)
    alone = [outages.credited(player, owed) for player in outages.clocks_that_ran(owed)]
    settlement.settle()
    for clock in at_least(20, alone):
        now_set = Player.objects.get(pk=clock.player.pk)
        assert (now_set.bank, now_set.deadline, now_set.check_at) == clock[1:]
        assert now_set.clock_version == clock.player.clock_version + 1


def test_a_clock_changed_meanwhile_is_credited_in_addition(
    match: Match, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = copies(match, 1)[0]
    credit = settlement.credit_batch

    def given_a_day_first(batch: list[Player], owed: Outage) -> int:
        monkeypatch.setattr(settlement, "credit_batch", credit)
        courtesies.give_day(match.pk, who.bob)
        return credit(batch, owed)

    monkeypatch.setattr(settlement, "credit_batch", given_a_day_first)
    outage()
    assert settlement.settle() == 2
    assert match.players.get(to_act=True).bank == 4 * DAY + 2 * HOUR
    assert other.players.get(to_act=True).bank == 3 * DAY + 2 * HOUR


def test_the_next_run_continues_where_the_time_limit_stopped_it(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settlement, "BATCH_CLOCKS", 4)
    copies(match, 9)
    owed = outage()
    seconds: Iterator[float] = iter((0.0, 1.0, 2.0, 61.0))
    monkeypatch.setattr("games.play.clocks.settlement.time.monotonic", lambda: next(seconds))
    assert settlement.settle() == 8
    monkeypatch.undo()
    assert not Dispatch.objects.filter(event="clock-credited").exists()
    owed.refresh_from_db()
    assert owed.credited_at is None
    assert settlement.settle() == 2
    assert Adjustment.objects.filter(outage=owed).count() == 10
    owed.refresh_from_db()
    assert owed.credited_at is not None


def test_one_worker_settles_at_a_time_and_replaces_a_killed_one(match: Match) -> None:
    outage()
    at = now()
    with frozen_at(at):
        # A worker began, and was killed.
        Lease.objects.create(name="settlement", until=at + leases.LEASE)
        assert settlement.settle() == 0
    with frozen_at(at + leases.LEASE):
        assert settlement.settle() == 1


def test_a_worker_that_lost_its_lease_stops(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settlement, "BATCH_CLOCKS", 1)
    copies(match, 2)
    outage()
    credit = settlement.credit_batch

    def taken_over(batch: list[Player], owed: Outage) -> int:
        Lease.objects.update(until=now() + 2 * MINUTE)
        return credit(batch, owed)

    monkeypatch.setattr(settlement, "credit_batch", taken_over)
    assert settlement.settle() == 1
    assert Lease.objects.get().until is not None


def test_a_lease_from_before_a_clock_change_is_ignored(match: Match) -> None:
    outage()
    Lease.objects.create(name="settlement", until=now() + HOUR)
    assert settlement.settle() == 1


def test_unreadable_data_of_one_player_delays_no_other(
    match: Match, who: People, caplog: pytest.LogCaptureFixture
) -> None:
    theirs = match_helpers.running_match(who._replace(alice=who.charlie))
    theirs.players.filter(to_act=True).update(since=now() - DAY)
    User.objects.filter(pk=who.charlie.pk).update(rest="what is this")
    owed = outage()
    assert settlement.settle() == 2
    assert theirs.players.get(to_act=True).bank == 3 * DAY + 2 * HOUR
    assert "is credited without rests" in caplog.text
    owed.refresh_from_db()
    assert owed.credited_at is not None


def test_stopped_clocks_are_not_credited(match: Match, who: People) -> None:
    paused = match_helpers.running_match(who)
    courtesies.offer_pause(paused.pk, who.alice)
    courtesies.accept_pause(paused.pk, who.bob)
    outage()
    assert settlement.settle() == 1


def test_a_sweep_ends_nothing_before_the_settlement_is_complete(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies(match, 3)
    deadline = now() - HOUR
    Player.objects.filter(to_act=True).update(deadline=deadline, check_at=deadline)
    outage()
    assert settlement.settle(seconds=0) == 0
    assert not +deadlines.sweep()
    settlement.settle()
    assert not deadlines.sweep()["ended"]


def test_a_vacation_entered_before_an_outage_moves_the_credited_time(
    match: Match, who: People
) -> None:
    """The credit by a request and that by the settlement use the same vacations."""
    Match.objects.update(vacations=True)
    start = datetime(2027, 5, 3, 12, tzinfo=UTC)
    Player.objects.filter(to_act=True).update(since=start, deadline=start + 3 * DAY)
    with frozen_at(start):
        heartbeat.beat()
        time_off.plan(who.alice, (start + 3 * DAY).date(), (start + 4 * DAY).date())
    service.beat_at(start + 2 * HOUR)
    assert match.players.get(to_act=True).deadline == datetime(2027, 5, 8, tzinfo=start.tzinfo)
