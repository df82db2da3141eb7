"""A player's row of reliability follows from their final matches against people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.people import bots
from accounts.people.erasure import erase
from games.bots import levels
from games.house import house_accounts
from games.outbox.delivery import dispatcher
from games.people.models import Reliability
from games.people.standing import limits, reliability
from games.play.commands import deadlines, endings, finality, moderation
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, ServiceTermination, Status
from games.play.models.ply import Ply
from games.play.record.public_plies import PublicPly
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at
from tests.play import match_helpers
from tests.play.match_helpers import FIRST_MOVES, People
from tests.ratings.results import day, finished

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]
TIME = OffBoardTermination.TIME


@pytest.fixture
def who() -> Iterator[People]:
    with frozen_at(day(0)):
        yield match_helpers.people()


def settle(at: datetime) -> None:
    """What is final by then is made final, and everything that follows from it is done."""
    with frozen_at(at):
        deadlines.sweep()
        finality.sweep()
        while dispatcher.drain():
            pass


def counts(user: User) -> tuple[int, int, int, int]:
    row = Reliability.objects.get(user=user)
    return row.finished, row.lost_on_time, row.not_set_up, row.finished_since


def missed(match: Match, user: User) -> Match:
    Player.objects.filter(match=match, user=user).update(missed_at=match.finished_at)
    return match


def test_a_finished_match_counts_for_both_once_it_is_final(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1))
    assert not Reliability.objects.exists()
    settle(day(2))
    assert counts(who.alice) == counts(who.bob) == (1, 0, 0, 1)


def test_matches_against_an_erased_bot_do_not_count(who: People) -> None:
    bot = bots.create(who.charlie, "Ada")
    for number in range(3):
        missed(finished(bot, who.bob, "S", day(1 + number), reason=TIME), who.bob)
    settle(day(9))
    erase(bot)
    with frozen_at(day(10)):
        assert limits.barred_since(who.bob.pk) is None
        assert limits.barred_since(bot.pk) is None
    reliability.renew(who.bob)
    assert counts(who.bob) == (0, 0, 0, 0)


def test_a_loss_on_time_counts_when_it_is_final(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1))
    missed(finished(who.alice, who.bob, "S", day(2), reason=TIME), who.bob)
    finished(who.alice, who.bob, "N", day(2.5))
    settle(day(3))
    assert counts(who.bob) == (2, 0, 0, 2)
    settle(day(4.1))
    assert counts(who.bob) == (3, 1, 0, 1)
    assert counts(who.alice) == (3, 0, 0, 3)


def test_a_match_of_fewer_than_two_turns_is_not_finished(who: People) -> None:
    missed(finished(who.alice, who.bob, "S", day(1), reason=TIME, turns=1), who.bob)
    missed(finished(who.alice, who.bob, "S", day(2), turns=1), who.bob)
    settle(day(5))
    assert counts(who.bob) == (0, 0, 2, 0)
    assert counts(who.alice) == (0, 0, 0, 0)


def test_a_player_who_did_not_set_up_in_time_has_missed_the_match(who: People) -> None:
    with frozen_at(day(1)):
        match = match_helpers.new_match(who)
        match_helpers.send_setup(match, Seat.SOUTH)
    settle(day(8))
    match.refresh_from_db()
    assert (match.status, match.reason) == (Status.CANCELLED, ServiceTermination.NO_SHOW)
    settle(day(11))
    assert counts(who.alice) == (0, 0, 0, 0)
    assert counts(who.bob) == (0, 0, 1, 0)


def test_an_aborted_match_is_no_miss(who: People) -> None:
    with frozen_at(day(1)):
        endings.abort(match_helpers.new_match(who).pk, who.alice)
    settle(day(2))
    assert counts(who.alice) == counts(who.bob) == (0, 0, 0, 0)


def played(who: People) -> Match:
    """A running match in which both have made two moves and South is to move."""
    return match_helpers.running_match(who, *FIRST_MOVES, "a5-a4", "j6-j7")


def test_a_reopened_match_counts_again_at_its_next_end(who: People) -> None:
    with frozen_at(day(1)):
        match = played(who)
    settle(day(5))
    with frozen_at(day(5.1)):
        moderation.reopen(match.pk, "The clock was wrong.")
        match_helpers.resign(match, Seat.NORTH)
    settle(day(8))
    assert counts(who.alice) == (1, 0, 0, 1)
    assert counts(who.bob) == (1, 0, 0, 1)


def test_a_void_match_removes_its_miss(who: People) -> None:
    with frozen_at(day(1)):
        match = played(who)
    settle(day(5))
    settle(day(8))
    assert counts(who.alice) == (1, 1, 0, 0)
    with frozen_at(day(8)):
        moderation.void(match.pk, "The server stood still.")
    settle(day(9))
    assert counts(who.alice) == counts(who.bob) == (0, 0, 0, 0)


def test_matches_against_the_computer_do_not_count(who: People) -> None:
    finished(who.alice, house_accounts.opponent(levels.RECRUIT.name), "S", day(1))
    settle(day(2))
    assert not Reliability.objects.exists()


def test_computing_it_again_changes_nothing(who: People) -> None:
    missed(finished(who.alice, who.bob, "S", day(1), reason=TIME), who.bob)
    settle(day(5))
    before = Reliability.objects.order_by("user").values()
    expected = list(before)
    for user in (who.alice, who.bob, who.alice):
        reliability.renew(user)
    assert list(before.all()) == expected


def test_a_former_player_gets_no_row(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1))
    erase(who.bob)
    settle(day(2))
    assert list(Reliability.objects.values_list("user", flat=True)) == [who.alice.pk]


# --- the time to answer


def ply(number: int, seat: Seat | None, hours: float, kind: PlyKind = PlyKind.MOVE) -> PublicPly:
    return PublicPly(number, seat, kind, day(0) + timedelta(hours=hours))


def hours(*numbers: float) -> list[timedelta]:
    return [timedelta(hours=number) for number in numbers]


def test_an_answer_is_timed_from_the_opponents_last_move_to_the_first_own_one() -> None:
    plies = [
        ply(0, None, 0, PlyKind.BEGIN),
        ply(1, Seat.NORTH, 1, PlyKind.SETUP),
        ply(2, Seat.SOUTH, 2, PlyKind.SETUP),
        ply(3, Seat.SOUTH, 5),
        ply(4, Seat.NORTH, 6),
        ply(5, Seat.NORTH, 8),
        ply(6, Seat.SOUTH, 11),
        ply(7, Seat.SOUTH, 15),
        ply(8, Seat.NORTH, 20),
        ply(9, Seat.SOUTH, 21, PlyKind.RESIGN),
    ]
    assert reliability.answers(plies, Seat.SOUTH) == hours(3)
    assert reliability.answers(plies, Seat.NORTH) == hours(1, 5)


def test_a_turn_interrupted_by_a_reverted_ending_is_left_out() -> None:
    plies = [
        ply(1, Seat.NORTH, 1),
        ply(2, None, 73, PlyKind.TIME),
        ply(3, None, 80, PlyKind.REOPEN),
        ply(4, Seat.SOUTH, 81),
        ply(5, Seat.NORTH, 83),
        ply(6, Seat.SOUTH, 90),
    ]
    assert reliability.answers(plies, Seat.SOUTH) == hours(7)


def test_quartiles_are_inclusive_and_linear() -> None:
    assert reliability.quartiles(hours(*range(20))) == (
        timedelta(hours=4.75),
        timedelta(hours=9.5),
        timedelta(hours=14.25),
    )
    assert reliability.quartiles(hours(*range(19))) is None


def with_answers(who: People, at: datetime, count: int, hours: float) -> Match:
    """A finished match in which Bob answered so many times, after so many hours each."""
    match = finished(who.alice, who.bob, "S", at)
    instant = at - timedelta(days=100)
    plies = []
    for number in range(0, 2 * count, 2):
        for seat, wait in ((Seat.SOUTH, 0.5), (Seat.NORTH, hours)):
            instant += timedelta(hours=wait)
            plies.append(
                Ply(
                    match=match,
                    number=number + seat,
                    seat=seat,
                    kind=PlyKind.MOVE,
                    text="",
                    sealed=b"",
                    head=b"",
                    at=instant,
                )
            )
    Ply.objects.bulk_create(plies)
    return match


def test_the_last_ten_finished_matches_are_timed(who: People) -> None:
    with_answers(who, day(101), 30, hours=40)
    for number in range(10):
        with_answers(who, day(102 + number), 2, hours=number + 1)
    settle(day(120))
    row = Reliability.objects.get(user=who.bob)
    assert [row.quickly, row.mostly, row.slowly] == hours(3, 5.5, 8)
    assert Reliability.objects.get(user=who.alice).mostly is None


def test_a_profile_describes_answers_within_a_minute_in_words(who: People) -> None:
    with_answers(who, day(101), 30, hours=0.01)
    settle(day(102))
    assert "mostly under a minute" in Client().get(who.bob.get_absolute_url()).text


def test_equal_times_are_described_once(who: People) -> None:
    with_answers(who, day(101), 30, hours=1)
    settle(day(102))
    assert "mostly about 1 hour" in Client().get(who.bob.get_absolute_url()).text


def test_nineteen_answers_are_too_few(who: People) -> None:
    with_answers(who, day(101), 19, hours=1)
    settle(day(102))
    assert Reliability.objects.get(user=who.bob).mostly is None


def test_the_cost_does_not_grow_with_the_matches(
    who: People, django_assert_max_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    for number in range(15):
        with_answers(who, day(101 + number), 1, hours=1)
    with django_assert_max_num_queries(reliability.MAX_MATCHES + 8):
        reliability.renew(who.bob)
