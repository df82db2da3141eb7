"""Races on a ladder: many players at once, each with their own database connection."""

from functools import partial

import pytest

from accounts.models import User
from accounts.people.erasure import erase
from games.competitions.ladders import commands, settlement
from games.competitions.ladders.models import Challenge, Change, Member
from games.play.commands import finality
from games.play.models.match import Match
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import FAMILY, add_members, challenge, order, people, won
from tests.concurrent import at_once
from tests.ratings.results import day, finished

pytestmark = pytest.mark.postgresql


def test_two_simultaneous_challengers_do_not_exceed_the_limit(apart: None) -> None:
    members = add_members(scene.open_ladder(), 40, day(1))
    challenge(members[7], members[5], day(2))
    outcomes = at_once(
        *[partial(challenge, members[n], members[5], day(2)) for n in (6, 8, 9)],
    )
    assert sum(isinstance(outcome, Match) for outcome in outcomes) == 1
    assert Challenge.objects.filter(challenged=members[5]).count() == 2


def test_a_pair_on_two_ladders_gets_one_challenge_at_a_time(apart: None) -> None:
    users = people(2)
    for family in (FAMILY, "tactique"):
        ladder = scene.open_ladder("lattaque-en" if family == FAMILY else family)
        add_members(ladder, 2, day(1), users if family == FAMILY else users[::-1])
    outcomes = at_once(
        partial(challenge, users[1], users[0], day(2)),
        partial(challenge, users[0], users[1], day(2), "tactique"),
    )
    assert sum(isinstance(outcome, Match) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Refusal) for outcome in outcomes) == 1


def test_members_who_join_at_once_get_different_places(apart: None) -> None:
    ladder = scene.open_ladder()
    *users, other = people(7)
    for user in users:
        finished(user, other, "S", day(1), rated=False)
    at_once(*[partial(_join, user) for user in users * 2])
    assert sorted(order(ladder)) == sorted(user.username for user in users)
    assert Change.objects.count() == len(users)


def _join(user: User) -> None:
    with frozen_at(day(2)):
        commands.join(FAMILY, user)


def test_simultaneous_sweeps_settle_each_challenge_once_and_in_order(apart: None) -> None:
    ladder = scene.open_ladder()
    members = add_members(ladder, 8, day(1))
    for number in range(1, 7):
        match = challenge(members[number], members[number - 1], day(2))
        won(match, members[number], day(3 + number / 100))

    def sweep() -> int:
        with frozen_at(day(4)):
            finality.sweep()
            return settlement.settle_all()

    outcomes = at_once(*[sweep] * 4)
    assert all(isinstance(outcome, int) for outcome in outcomes)
    # Each beats the one who has just taken the first place.
    places = [(name, to) for name, _from, to, _why in scene.log_of(ladder)]
    assert places == [(f"m{number}", 1) for number in range(2, 8)]
    order(ladder)


def test_closing_an_account_during_a_challenge_causes_no_deadlock(apart: None) -> None:
    ladder = scene.open_ladder()
    members = add_members(ladder, 8, day(1))

    def close(user: User) -> None:
        with frozen_at(day(2)):
            erase(user)

    at_once(
        partial(challenge, members[4], members[3], day(2)),
        partial(close, members[3]),
        partial(challenge, members[3], members[2], day(2)),
        partial(close, members[4]),
    )
    assert not Member.objects.filter(user__in=members[3:5], going="").exists()
    order(ladder)
