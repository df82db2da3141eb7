"""Limits hold for many acceptances and offers at once, each with their own connection."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from accounts.people import bots
from games.house import house_accounts
from games.house.playing import new_match
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind
from games.people.standing import limits
from games.play.models.match import Match, Player
from games.play.terms import Terms
from games.rules.core.basics.refusals import Refusal
from tests.concurrent import at_once

pytestmark = pytest.mark.postgresql

TERMS = Terms("lattaque-en", setup_pace="5d")
HANDS = 8


@pytest.fixture
def people(apart: None) -> list[User]:
    return [User.objects.create_user(f"Rider{chr(65 + number)}") for number in range(HANDS + 1)]


def accept_all(seats: list[Invitation], guest: User) -> list[object]:
    return at_once(*[partial(commands.accept, seat.pk, guest) for seat in seats])


def test_many_acceptances_at_once_stay_within_the_limit_of_matches(
    people: list[User], offer: Callable[..., Invitation], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, *owners = people
    monkeypatch.setattr(limits, "FIRST_MATCHES", 3)
    outcomes = accept_all([offer(owner) for owner in owners], guest)
    assert limits.live_matches(guest.pk) == Match.objects.count() == 3
    assert sum(isinstance(outcome, limits.OverTheCap) for outcome in outcomes) == HANDS - 3


def test_two_players_have_two_rated_matches_however_many_are_accepted_at_once(
    people: list[User], offer: Callable[..., Invitation]
) -> None:
    one, other, *_ = people
    for owner, guest in ((one, other), (other, one)):
        seats = [offer(owner, rated=True) for _ in range(2)]
        accept_all(seats * 2, guest)
    assert Match.objects.filter(rated=True).count() == 2


def test_two_players_who_accept_each_others_seats_at_once_have_two_rated_matches(
    people: list[User], offer: Callable[..., Invitation]
) -> None:
    one, other, *_ = people
    own = [offer(one, rated=True) for _ in range(3)]
    theirs = [offer(other, rated=True) for _ in range(3)]
    at_once(
        *[partial(commands.accept, seat.pk, other) for seat in own],
        *[partial(commands.accept, seat.pk, one) for seat in theirs],
    )
    assert Match.objects.filter(rated=True).count() == 2


def test_a_standing_seat_is_taken_once_by_one_player(
    people: list[User], offer: Callable[..., Invitation]
) -> None:
    owner, guest, *_ = people
    seat = offer(owner, repeats=3)

    def take() -> Match:
        newest = Invitation.objects.filter(owner=owner).latest("pk")
        return commands.accept(newest.pk, guest)

    outcomes = at_once(*[take] * HANDS)
    assert Match.objects.count() == 1
    assert {each for each in outcomes if isinstance(each, Match)} == {Match.objects.get()}
    assert not [each for each in outcomes if not isinstance(each, Match | Refusal)]
    seat.refresh_from_db()
    assert seat.match == Match.objects.get()


def test_a_bot_that_challenges_the_house_many_times_at_once_stays_within_its_limit(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = house_accounts.opponent("recruit")
    bot = bots.create(people[0], "Roboto")
    monkeypatch.setattr(limits, "MAX_MATCHES_OF_BOT", 2)
    challenge = partial(commands.offer, bot, TERMS, kind=InvitationKind.CHALLENGE, guest=house)
    at_once(*[challenge] * 5)
    assert Player.objects.filter(user=bot).count() == 2


def test_a_person_and_their_bots_share_the_limit_against_the_house(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    house, _other = map(house_accounts.opponent, ("recruit", "sergeant"))
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 2)
    person, bot = people[0], bots.create(people[0], "Roboto")
    challenge = partial(commands.offer, bot, TERMS, kind=InvitationKind.CHALLENGE, guest=house)
    play = partial(new_match.play_the_house, person, preset="lattaque-en", level="sergeant")
    at_once(*[challenge] * 3, *[play] * 3)
    assert Match.objects.count() == 2
