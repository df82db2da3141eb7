"""Someone of my strength: the nearest open seat is accepted, else one is offered."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import strength
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import OPEN, Invitation, InvitationKind
from games.people.standing.limits import Barred
from games.play.models.match import Match
from games.ratings.eligibility import NotRateable
from lib.db_clock import now
from tests.concurrent import at_once
from tests.lobby.invitations.people import miss, rate

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]
GAME = ("lattaque-en", "3d")
PAGE = reverse("lobby:strength")


def riders(*ratings: float, deviation: float = 60) -> list[User]:
    """New players with these ratings."""
    users = [User.objects.create_user(f"Rider{number}") for number in range(len(ratings))]
    for user, rating in zip(users, ratings, strict=True):
        rate(user, rating, deviation)
    return users


def test_the_nearest_rating_is_accepted(bob: User, offer: Offer) -> None:
    rate(bob, 1600)
    seats = [offer(owner) for owner in riders(1450, 1650, 1560, 1399)]
    assert commands.find_opponent(bob, *GAME) == seats[2]
    assert Match.objects.get().players.filter(user=seats[2].owner).exists()


def test_the_oldest_of_equally_near_seats_is_accepted(bob: User, offer: Offer) -> None:
    rate(bob, 1600)
    seats = [offer(owner) for owner in riders(1700, 1500, 1700)]
    assert commands.find_opponent(bob, *GAME) == seats[0]


@pytest.mark.parametrize(("theirs", "near"), [(1800, True), (1801, False), (1399, False)])
def test_seats_within_two_hundred_points_are_near(
    bob: User, offer: Offer, theirs: float, near: bool
) -> None:
    rate(bob, 1600)
    [owner] = riders(theirs)
    seat = offer(owner)
    assert (commands.find_opponent(bob, *GAME) == seat) == near


@pytest.mark.parametrize(("deviation", "theirs"), [(111, 60), (60, 111)])
def test_an_uncertain_rating_is_near_to_any_rating(
    bob: User, offer: Offer, deviation: float, theirs: float
) -> None:
    rate(bob, 1500, deviation)
    [owner] = riders(2100, deviation=theirs)
    seat = offer(owner)
    assert commands.find_opponent(bob, *GAME) == seat


def test_without_a_near_seat_a_rated_seat_for_similar_ratings_is_offered(bob: User) -> None:
    rate(bob, 1623.4)
    seat = commands.find_opponent(bob, *GAME)
    assert (seat.kind, seat.match, seat.rated) == (InvitationKind.SEAT, None, True)
    assert Conditions.of_invitation(seat) == Conditions(rating_from=1423, rating_to=1823)
    assert (seat.preset, seat.pace) == GAME


def test_with_an_uncertain_rating_the_seat_is_for_all(bob: User) -> None:
    seat = commands.find_opponent(bob, "assaut", "5d")
    assert Conditions.of_invitation(seat) == Conditions()
    assert seat.as_set


def test_ranges_stay_within_the_scale(bob: User) -> None:
    rate(bob, 120)
    assert Conditions.of_invitation(commands.find_opponent(bob, *GAME)).rating_from == 100


@pytest.mark.parametrize(
    "other",
    [
        {"preset": "lattaque-zh"},
        {"pace": "5d"},
        {"switches": {"spy_both": True}},
        {"as_set": True},
        {"conditions": Conditions(rating_from=1700)},
        {"kind": InvitationKind.LINK},
    ],
)
def test_other_seats_are_not_accepted(
    alice: User, bob: User, offer: Offer, other: dict[str, object]
) -> None:
    offer(alice, **other)
    assert commands.find_opponent(bob, *GAME).owner == bob


def test_an_own_seat_is_neither_accepted_nor_offered_twice(bob: User) -> None:
    first = commands.find_opponent(bob, *GAME)
    assert commands.find_opponent(bob, *GAME) == first
    assert Invitation.objects.count() == 1


def test_a_seat_of_a_barred_owner_is_skipped(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    seats = [offer(alice, rated=True), offer(charlie, rated=True)]
    for _ in range(3):
        miss(alice, charlie, now())
    assert commands.find_opponent(bob, *GAME) == seats[1]


def test_a_barred_player_finds_only_a_friendly_match(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    for _ in range(3):
        miss(bob, charlie, now())
    offer(alice, rated=True)
    with pytest.raises(Barred):
        commands.find_opponent(bob, *GAME)
    friendly = offer(alice)
    assert commands.find_opponent(bob, *GAME) == friendly


def test_no_seat_without_a_clock_is_offered(bob: User) -> None:
    with pytest.raises(NotRateable, match="needs a time limit"):
        commands.find_opponent(bob, "lattaque-en", "none")


def test_the_number_of_queries_does_not_grow_with_the_seats(bob: User, offer: Offer) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            strength.seats_near(bob, *GAME)
        return len(captured)

    one, *others = riders(*range(1500, 1530))
    offer(one)
    few = queries()
    for owner in others:
        offer(owner)
    assert queries() == few <= 12
    assert len(strength.seats_near(bob, *GAME)) == 30


def test_the_page_begins_a_match(
    alice_client: Client, alice: User, bob: User, offer: Offer
) -> None:
    seat = offer(bob)
    form = alice_client.get(PAGE)
    assert form.status_code == 200
    assert 'value="none"' not in form.content.decode()
    answer = alice_client.post(PAGE, {"preset": "lattaque-en", "pace": "3d"})
    seat.refresh_from_db()
    assert seat.match is not None
    assert answer["Location"] == seat.match.get_absolute_url()


def test_the_page_offers_a_seat(alice_client: Client, alice: User) -> None:
    answer = alice_client.post(PAGE, {"preset": "assaut", "pace": "7d"}, follow=True)
    seat = Invitation.objects.get(OPEN)
    assert answer.redirect_chain == [(seat.get_absolute_url(), 302)]
    assert "Your open seat is in the lobby." in answer.content.decode()


def test_an_invalid_choice_is_an_error(alice_client: Client) -> None:
    answer = alice_client.post(PAGE, {"preset": "chess", "pace": "none"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"preset", "pace"}


def test_a_refusal_is_shown_in_the_form(alice_client: Client, alice: User, bob: User) -> None:
    for _ in range(3):
        miss(alice, bob, now())
    answer = alice_client.post(PAGE, {"preset": "lattaque-en", "pace": "3d"})
    assert answer.status_code == 422
    assert "Finish one match" in answer.content.decode()


def test_visitors_are_asked_to_sign_in(client: Client) -> None:
    assert client.post(PAGE)["Location"].endswith(f"?next={PAGE}")


@pytest.mark.postgresql
def test_one_of_two_simultaneous_searches_gets_the_seat(apart: None, offer: Offer) -> None:
    owner, *others = riders(1500, 1500, 1500)
    seat = offer(owner)
    at_once(*[lambda u=user: commands.find_opponent(u, *GAME) for user in others])
    assert Match.objects.count() == 1
    assert Invitation.objects.filter(OPEN).exclude(owner=owner).count() == 1
    seat.refresh_from_db()
    assert seat.guest in others
