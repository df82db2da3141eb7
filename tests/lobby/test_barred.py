"""A barred player reads it on the front page and in the lobby; their rated seats are not listed."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.lobby.models import Invitation
from lib.db_clock import frozen_at
from tests.lobby.test_admission import miss
from tests.ratings.results import day, finished

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]


def seats(user: User, at: float) -> set[int]:
    with frozen_at(day(at)):
        return {seat.pk for seat in Invitation.objects.seats_for(user)}


def test_rated_seats_of_barred_players_are_not_listed(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    with frozen_at(day(0)):
        friendly, rated, others = offer(alice), offer(alice, rated=True), offer(charlie, rated=True)
    for at in (1, 2):
        miss(alice, bob, at)
    assert seats(bob, 2.5) == {friendly.pk, rated.pk, others.pk}
    miss(alice, bob, 3)
    assert seats(bob, 4) == {friendly.pk, others.pk}
    finished(alice, bob, "N", day(4.5), rated=False)
    assert seats(bob, 5) == {friendly.pk, rated.pk, others.pk}


def test_old_misses_do_not_bar(alice: User, bob: User, offer: Offer) -> None:
    for at in (-95, -20, -1):
        miss(alice, bob, at)
    with frozen_at(day(0)):
        rated = offer(alice, rated=True)
    assert seats(bob, 1) == {rated.pk}


def test_a_rated_match_is_not_proposed_to_somebody_who_is_barred(
    alice_client: Client, alice: User, bob: User
) -> None:
    def proposed() -> bool:
        return bool(alice_client.get("/lobby/new/").context["form"]["rated"].value())

    with frozen_at(day(0)):
        assert proposed()
    for at in (1, 2, 3):
        miss(alice, bob, at)
    with frozen_at(day(4)):
        assert not proposed()


@pytest.mark.parametrize("page", ["/", "/lobby/"])
def test_only_barred_players_read_that_they_are(
    page: str, alice_client: Client, bob_client: Client, alice: User, bob: User
) -> None:
    for at in (1, 2, 3):
        miss(alice, bob, at)
    with frozen_at(day(4)):
        page_text = alice_client.get(page).content.decode()
        assert "closed to you for now. Finish one match" in page_text
        assert "your rated open seats are not listed" in page_text
        assert "closed to you" not in bob_client.get(page).content.decode()
    finished(alice, bob, "S", day(5), rated=False)
    with frozen_at(day(6)):
        assert "closed to you" not in alice_client.get(page).content.decode()


def test_the_query_count_of_the_lobby_does_not_grow_with_rated_seats(
    alice_client: Client, bob: User, charlie: User, offer: Offer
) -> None:
    offer(bob, rated=True)
    alice_client.get("/lobby/")
    with CaptureQueriesContext(connection) as few:
        alice_client.get("/lobby/")
    for owner in (bob, charlie):
        for _ in range(5):
            offer(owner, rated=True)
    with CaptureQueriesContext(connection) as many:
        assert alice_client.get("/lobby/").content.decode().count(">Play<") == 11
    assert len(many) == len(few)
