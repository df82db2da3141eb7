"""Members who do not play: warned after 38 days, dropped after 45."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.competitions.ladders import commands, departures
from games.competitions.ladders.models import Ladder, Member
from games.outbox.models import Dispatch
from games.play.models.match import Player
from games.play.models.time import Vacation
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import challenge, log_of, order, tick, won
from tests.ratings.results import day, finished

pytestmark = pytest.mark.django_db


def warned_members() -> list[int]:
    near = Dispatch.objects.filter(event="ladder-drop-near").order_by("pk")
    return list(near.values_list("user", flat=True))


def play(user: User, other: User, at: float) -> None:
    """A move in a match outside the ladder."""
    finished(user, other, "draw", day(at), rated=False, moved_at=day(at))
    Player.objects.filter(user=other, moved_at=day(at)).update(moved_at=None)


@pytest.fixture
def idle_member(db: None) -> tuple[Ladder, User, User]:
    """A ladder with a leader and a member, and somebody to play against elsewhere."""
    ladder = scene.open_ladder()
    leader, member, other = scene.people(3)
    scene.add_members(ladder, 2, day(0), [leader, member])
    for number in range(1, 20):
        play(leader, other, 10 * number)
    return ladder, member, other


def test_a_member_is_warned_after_38_days_and_dropped_after_45(
    idle_member: tuple[Ladder, User, User],
) -> None:
    ladder, member, _other = idle_member
    tick(day(37.9))
    assert warned_members() == []
    tick(day(38.1))
    tick(day(38.2))
    assert warned_members() == [member.pk]
    tick(day(44.9))
    assert order(ladder) == ["m1", "m2"]
    tick(day(45.1))
    # The leader, whom nobody challenged, plays elsewhere and stays.
    assert order(ladder) == ["m1"]
    assert log_of(ladder) == [("m2", 2, None, "idle")]
    assert Dispatch.objects.filter(event="ladder-dropped", user=member).count() == 1
    tick(day(90))
    assert order(ladder) == ["m1"]


def test_a_move_in_any_match_restarts_the_time(idle_member: tuple[Ladder, User, User]) -> None:
    ladder, member, other = idle_member
    tick(day(38.1))
    play(member, other, 40)
    tick(day(77.9))
    assert (order(ladder), warned_members()) == (["m1", "m2"], [member.pk])
    tick(day(78.1))
    assert warned_members() == [member.pk] * 2
    tick(day(85.1))
    assert order(ladder) == ["m1"]


def test_a_match_against_the_computer_does_not_count(
    idle_member: tuple[Ladder, User, User],
) -> None:
    ladder, member, _other = idle_member
    house = User.objects.create_user("House-Test", house_level="test")
    play(member, house, 40)
    tick(day(46))
    assert order(ladder) == ["m1"]


def test_days_of_a_vacation_do_not_count(idle_member: tuple[Ladder, User, User]) -> None:
    ladder, member, _other = idle_member
    Vacation.objects.create(user=member, start=day(20), end=day(30), planned=True)
    tick(day(47.9))
    assert warned_members() == []
    tick(day(48.1))
    assert warned_members() == [member.pk]
    tick(day(54.9))
    assert order(ladder) == ["m1", "m2"]
    tick(day(55.1))
    assert order(ladder) == ["m1"]


def test_an_idle_member_keeps_the_place_until_the_challenge_is_final(
    idle_member: tuple[Ladder, User, User],
) -> None:
    ladder, member, _other = idle_member
    leader = User.objects.get(username="m1")
    match = challenge(member, leader, day(44))
    tick(day(45.1))
    assert (order(ladder), Member.objects.get(user=member).going) == (["m1", "m2"], "idle")
    won(match, member, day(46))
    tick(day(47))
    assert log_of(ladder) == [("m2", 2, 1, "won"), ("m2", 1, None, "idle")]
    assert order(ladder) == ["m1"]


def test_a_member_dropped_for_not_playing_can_join_again_at_once(
    idle_member: tuple[Ladder, User, User],
) -> None:
    ladder, member, other = idle_member
    tick(day(46))
    play(member, other, 46.5)
    with frozen_at(day(47)):
        assert commands.join("lattaque", member).place == 2
    assert order(ladder) == ["m1", "m2"]


def test_a_blocked_account_is_removed(ladder: Ladder, members: list[User]) -> None:
    with frozen_at(day(2)):
        departures.close_account(members[0])
        departures.close_account(members[0])
    assert order(ladder)[0] == "m2"
    assert log_of(ladder) == [("m1", 1, None, "closed")]


def test_the_sweep_removes_members_left_over(ladder: Ladder, members: list[User]) -> None:
    Member.objects.filter(user=members[3]).update(going="left")
    assert tick(day(2))["leaving ladder members taken off"] == 1
    assert log_of(ladder) == [("m4", 4, None, "left")]


def test_a_check_of_a_large_ladder_is_cheap_until_it_is_due(db: None) -> None:
    ladder = scene.open_ladder()
    scene.add_members(ladder, 300, day(1))
    with frozen_at(day(20)), CaptureQueriesContext(connection) as queries:
        assert departures.check_absent() == 0
    assert len(queries) == 1
