"""Entry: who may enter, and until when."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.competitions.tournaments.commands import entering, organising, withdrawing
from games.competitions.tournaments.commands.entering import NotEligible, NotOpen
from games.competitions.tournaments.models import State
from games.people.models import Reliability
from games.people.standing.limits import Barred, OverTheCap
from games.play.commands.matches import open_match
from games.play.models.match import Player
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import CLOSES, START
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.ratings import results

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_entry_is_open_between_its_dates(alice: User) -> None:
    made = playing.tournament(opens_at=START + DAY)
    for at in (START, CLOSES):
        with frozen_at(at), pytest.raises(NotOpen):
            entering.enter(made.pk, alice)
    with frozen_at(START + DAY):
        entering.enter(made.pk, alice)
        entering.enter(made.pk, alice)
        assert made.entries.count() == 1
        entering.leave(made.pk, alice)
    assert not made.entries.exists()


def test_conditions_are_checked(who: People) -> None:
    made = playing.tournament(min_finished=1, rating_from=1600)
    with frozen_at(START):
        with pytest.raises(NotEligible, match="finished at least"):
            entering.enter(made.pk, who.alice)
        Reliability.objects.create(user=who.alice, finished=1)
        with pytest.raises(NotEligible, match="ratings of at"):
            entering.enter(made.pk, who.alice)


def test_the_cap_counts_all_matches_of_a_stage(alice: User) -> None:
    made = playing.tournament(preset="assaut", group_size=10)
    with frozen_at(START), pytest.raises(OverTheCap):
        entering.enter(made.pk, alice)


def test_the_cap_counts_the_largest_group_that_may_arise(alice: User) -> None:
    Reliability.objects.create(user=alice, finished=0)
    made = playing.tournament(group_size=3, max_entries=5)
    assert made.matches_a_player == 4
    others = playing.members(7)
    for other in others:
        open_match(Terms("lattaque-en"), {Seat.SOUTH: alice, Seat.NORTH: other})
    with frozen_at(START), pytest.raises(OverTheCap):
        entering.enter(made.pk, alice)
    Player.objects.filter(user=others[0]).update(live=False)
    Player.objects.filter(user=alice, match__players__user=others[0]).update(live=False)
    with frozen_at(START):
        entering.enter(made.pk, alice)
        page = client_of(alice).get(made.get_absolute_url()).content.decode()
    assert "of at most 5 players" in page


def test_a_barred_player_cannot_enter(who: People) -> None:
    for number in range(3):
        missed = results.finished(who.alice, who.bob, "N", START - (3 - number) * DAY)
        Player.objects.filter(match=missed, user=who.alice).update(missed_at=missed.finished_at)
    made = playing.tournament()
    with frozen_at(START), pytest.raises(Barred):
        entering.enter(made.pk, who.alice)


def test_the_number_of_places_is_limited() -> None:
    users = playing.members(4)
    made = playing.entered(users[:3], max_entries=3)
    with frozen_at(START), pytest.raises(NotOpen, match="places are taken"):
        entering.enter(made.pk, users[3])


def test_an_excluded_player_cannot_enter_again(alice: User) -> None:
    made = playing.entered([alice])
    with frozen_at(START):
        withdrawing.exclude(made.entries.get().pk, "A quarrel.")
        entering.leave(made.pk, alice)
        with pytest.raises(Refusal, match="excluded you"):
            entering.enter(made.pk, alice)


def test_dates_can_only_move_to_later_days() -> None:
    made = playing.tournament()
    assert organising.prolong(made.pk, DAY) == CLOSES + DAY
    organising.cancel(made.pk, "No room.")
    made.refresh_from_db()
    assert (made.state, made.reason) == (State.CANCELLED, "No room.")
    assert organising.prolong(made.pk, DAY) is None
