"""The lobby page: open seats, own invitations and challenges."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationKind
from lib.db_clock import frozen_at, now
from tests import tiers

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

INDEX = reverse("lobby:index")


def page(client: Client) -> str:
    response = client.get(INDEX)
    assert response.status_code == 200
    return response.content.decode()


def test_a_visitor_sees_the_open_seats(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, note="Gently, please.", pace="7d")
    seen = page(client)
    assert invitation.get_absolute_url() in seen
    assert "Gently, please." in seen
    assert "7 days" in seen


def test_challenges_and_links_are_hidden_from_others(
    client: Client, alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    hidden = [offer(alice, guest=bob), offer(alice, kind=InvitationKind.LINK)]
    for reader in (None, charlie):
        if reader:
            client.force_login(reader)
        seen = page(client)
        assert not any(invitation.get_absolute_url() in seen for invitation in hidden)


def test_a_player_sees_their_own_offers_once(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    own_invitations = [
        offer(alice),
        offer(alice, guest=bob),
        offer(alice, kind=InvitationKind.LINK),
    ]
    client.force_login(alice)
    seen = page(client)
    assert "Your invitations" in seen
    assert [seen.count(invitation.get_absolute_url()) for invitation in own_invitations] == [
        1,
        1,
        1,
    ]


def test_a_challenged_player_sees_the_challenge(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    challenge = offer(alice, guest=bob)
    client.force_login(bob)
    seen = page(client)
    assert "Challenges for you" in seen
    assert challenge.get_absolute_url() in seen


def test_invitations_of_deactivated_owners_are_not_shown(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    gone = [offer(alice), offer(alice, guest=bob)]
    alice.is_active = False
    alice.save()
    client.force_login(bob)
    seen = page(client)
    assert not any(invitation.get_absolute_url() in seen for invitation in gone)


def test_closed_invitations_are_not_shown(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    with frozen_at(now() + INVITATION_LIFETIME):
        assert invitation.get_absolute_url() not in page(client)


def test_a_page_holds_fifty_seats(client: Client, alice: User, bob: User) -> None:
    seats(alice, 60)
    client.force_login(bob)
    response = client.get(INDEX)
    assert len(response.context["page"]) == 50
    assert 'rel="next"' in response.content.decode()
    assert len(client.get(INDEX, {"page": "2"}).context["page"]) == 10


def test_open_seats_can_be_filtered_by_game(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    scouts, tiles = offer(alice, preset="lattaque-zh"), offer(alice, preset="domino")
    client.force_login(bob)

    def listed(game: str) -> list[bool]:
        seen = client.get(INDEX, {"game": game}).content.decode()
        return [invitation.get_absolute_url() in seen for invitation in (scouts, tiles)]

    assert listed("lattaque") == [True, False]
    assert listed("domino") == [False, True]
    assert listed("") == listed("chess") == [True, True]
    assert "no open seats for this game" in client.get(INDEX, {"game": "assaut"}).content.decode()


def test_page_links_keep_the_filter_by_game(client: Client, alice: User, bob: User) -> None:
    seats(alice, 60)
    client.force_login(bob)
    seen = client.get(INDEX, {"game": "lattaque"}).content.decode()
    assert 'rel="next" href="?game=lattaque&amp;page=2"' in seen


def test_an_invalid_page_number_is_no_error(client: Client, alice: User) -> None:
    seats(alice, 3)
    for number in ("0", "-1", "99", "x"):
        assert len(client.get(INDEX, {"page": number}).context["page"]) == 3


@pytest.mark.usefixtures("many_challenges")
@pytest.mark.parametrize("owners", tiers.parameters((9, 45), fast=(9,)))
def test_the_number_of_queries_does_not_grow_with_the_lobby(
    client: Client,
    alice: User,
    bob: User,
    charlie: User,
    offer: Callable[..., Invitation],
    owners: int,
) -> None:
    client.force_login(bob)
    offer(alice)
    offer(alice, guest=bob)
    offer(bob)
    few = queries(client)
    for number in range(owners):
        owner = User.objects.create_user(f"Rider{number}x")
        offer(owner)
        offer(owner, guest=bob)
    for _ in range(owners // 3):
        offer(bob, guest=charlie)
    assert queries(client) == few <= 18


def test_message_and_username_are_escaped(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    offer(alice, note="<script>alert(1)</script>")
    assert "<script>alert(1)" not in page(client)


def seats(owner: User, count: int) -> None:
    """Create open seats without the limit per player."""
    instant = now()
    Invitation.objects.bulk_create(
        Invitation(
            owner=owner,
            kind=InvitationKind.SEAT,
            preset="lattaque-en",
            pace="3d",
            setup_pace="3d",
            created_at=instant,
            expires_at=instant + INVITATION_LIFETIME,
        )
        for _ in range(count)
    )


def queries(client: Client) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        page(client)
    return len(captured)


def test_rated_invitations_have_a_mark(
    alice_client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    mark = '<span class="badge note">Rated</span>'
    offer(bob), offer(bob, guest=alice), offer(alice)
    assert mark not in page(alice_client)
    offer(bob, rated=True), offer(bob, guest=alice, rated=True), offer(alice, rated=True)
    assert page(alice_client).count(mark) == 3
