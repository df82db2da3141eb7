"""A set of two, from the form to two matches and their rematch."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby import commands, refusals
from games.lobby.models import Invitation
from games.play.models.match import Match, Status, by_seat
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.lobby.test_new_page import FILLED_IN, NEW

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(alice: User, bob: User, offer: Callable[..., Invitation]) -> tuple[Match, Match]:
    """The two matches of a set that Alice offered and Bob accepted."""
    first = commands.accept(offer(alice, guest=bob, preset="assaut", as_set=True).pk, bob)
    return first, first.twin


def finish(*matches: Match) -> None:
    ids = [match.pk for match in matches]
    Match.objects.filter(pk__in=ids).update(status=Status.FINISHED, result="S")


@pytest.mark.parametrize(
    ("preset", "unit", "as_set"),
    [
        ("assaut", "", True),
        ("assaut-german", "", True),
        ("assaut", "one", False),
        ("assaut", "set", True),
        ("lattaque-en", "", False),
        ("domino", "set", True),
        ("tactique", "one", False),
    ],
)
def test_by_default_assaut_is_offered_as_a_set_and_other_games_as_one_match(
    client: Client, alice: User, preset: str, unit: Any, as_set: Any
) -> None:
    client.force_login(alice)
    client.post(NEW, FILLED_IN | {"preset": preset, "unit": unit})
    assert Invitation.objects.get().as_set is as_set


@pytest.mark.parametrize(
    ("preset", "unit", "remembered"),
    tiers.parameters(
        [
            ("assaut", "one", "one"),
            ("assaut", "set", ""),
            ("domino", "set", "set"),
            ("domino", "", ""),
        ],
        fast=[("assaut", "one", "one"), ("domino", "", "")],
    ),
)
def test_a_choice_that_differs_from_the_default_is_remembered(
    client: Client, alice: User, preset: str, unit: Any, remembered: Any
) -> None:
    client.force_login(alice)
    client.post(NEW, FILLED_IN | {"preset": preset, "unit": unit})
    assert client.get(NEW).context["form"]["unit"].value() == remembered


def test_accepting_opens_both_matches_once(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, preset="assaut", as_set=True, seat=Seat.NORTH)
    first = commands.accept(invitation.pk, bob)
    assert commands.accept(invitation.pk, bob) == first
    assert Match.objects.count() == 2
    assert by_seat(first)[Seat.NORTH].user == by_seat(first.twin)[Seat.SOUTH].user == alice


def test_the_guest_sees_that_it_is_a_set(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob, preset="assaut", as_set=True)
    client.force_login(bob)
    assert "Set of two" in client.get(reverse("lobby:index")).content.decode()
    seen = client.get(invitation.get_absolute_url()).content.decode()
    assert "Two matches at once with sides swapped, and one overall result." in seen
    assert "each side once" in seen
    page = reverse("lobby:accept", args=[invitation.pk])
    assert "Both matches of the set have begun" in client.post(page, follow=True).content.decode()


def test_the_rematch_of_a_set_is_a_set(alice: User, bob: User, pair: tuple[Match, Match]) -> None:
    finish(*pair)
    invitation = commands.rematch(pair[1].pk, alice)
    assert (invitation.as_set, invitation.rematch_of) == (True, pair[0])


def test_asking_for_a_rematch_at_each_match_makes_one_new_set(
    alice: User, bob: User, pair: tuple[Match, Match]
) -> None:
    finish(*pair)
    commands.rematch(pair[0].pk, alice)
    match = commands.rematch(pair[1].pk, bob).match
    assert {match.rematch_of, match.twin.rematch_of} == {pair[0]}
    assert Match.objects.count() == 4


def test_a_running_set_has_no_rematch(alice: User, pair: tuple[Match, Match]) -> None:
    finish(pair[0])
    with pytest.raises(refusals.InvitationRefusal, match="once both matches of this one are over"):
        commands.rematch(pair[0].pk, alice)
