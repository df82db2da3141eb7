"""The page of an invitation and its actions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby import commands
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationKind, InvitationStatus
from games.play.models.match import Match, Status
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests import tiers

pytestmark = pytest.mark.django_db


def do(client: Client, action: str, invitation: Invitation, **more: Any) -> Any:
    return client.post(reverse(f"lobby:{action}", args=[invitation.pk]), **more)


def test_it_shows_the_rules_and_how_they_differ_from_the_edition(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(
        alice,
        guest=bob,
        preset="lattaque-zh",
        switches={"two_square": 5},
        seat=Seat.NORTH,
        pace="7d",
        setup_pace="10d",
        note="As agreed.",
    )
    client.force_login(bob)
    response = client.get(invitation.get_absolute_url())
    terms = response.context["terms"]
    assert (terms.title, terms.base) == ("L'Attaque, face-up edition", "L'Attaque")
    assert terms.changed == [
        "A piece may not move between the same two squares a sixth time in a row."
    ]
    assert len(terms.edition) == 1
    assert "stays face up for the rest" in terms.edition[0]
    assert "A winning attacker takes the loser&#x27;s square." in response.content.decode()
    seen = response.content.decode()
    for words in ("7 days", "10 days", "As agreed.", "South", *terms.edition, *terms.changed):
        assert words in seen


@pytest.mark.parametrize(
    ("kind", "heading"),
    [
        (InvitationKind.SEAT, "Alice offers an open seat"),
        (InvitationKind.CHALLENGE, "Alice challenges you"),
    ],
)
def test_its_heading_says_what_it_is(
    client: Client,
    alice: User,
    bob: User,
    offer: Callable[..., Invitation],
    kind: InvitationKind,
    heading: str,
) -> None:
    invitation = offer(alice, kind=kind, guest=bob if kind == InvitationKind.CHALLENGE else None)
    client.force_login(bob)
    page = client.get(invitation.get_absolute_url()).content.decode()
    assert f"<h1>{heading}</h1>" in page


@pytest.mark.parametrize("preset", tiers.editions())
def test_every_preset_has_a_page(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation], preset: str
) -> None:
    client.force_login(bob)
    invitation = offer(alice, preset=preset)
    assert client.get(invitation.get_absolute_url()).status_code == 200


def test_the_first_edition_lists_no_differences(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    terms = client.get(offer(alice).get_absolute_url()).context["terms"]
    assert (terms.changed, terms.edition) == ([], [])


def test_a_visitor_sees_links_to_sign_in_and_sign_up(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    page = offer(alice).get_absolute_url()
    seen = client.get(page).content.decode()
    assert f"{reverse('account_login')}?next={page}" in seen
    assert f"{reverse('account_signup')}?next={page}" in seen
    assert "<form" not in seen


def test_a_challenge_asks_visitors_to_sign_in_and_hides_from_others(
    client: Client, alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    page = offer(alice, guest=bob).get_absolute_url()
    assert client.get(page)["Location"].endswith(f"?next={page}")
    client.force_login(charlie)
    assert client.get(page).status_code == 404
    for insider in (alice, bob):
        client.force_login(insider)
        assert client.get(page).status_code == 200


def test_a_visitor_sees_no_difference_between_a_challenge_and_a_missing_invitation(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    answers = [
        client.get(reverse("lobby:detail", args=[number]))
        for number in (invitation.pk, invitation.pk + 1)
    ]
    assert [answer.status_code for answer in answers] == [302, 302]


def test_accepting_redirects_to_the_match(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    client.force_login(bob)
    response = do(client, "accept", invitation)
    assert response.url == Match.objects.get().get_absolute_url()


def test_a_second_click_redirects_to_the_same_match(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    client.force_login(bob)
    assert do(client, "accept", invitation).url == do(client, "accept", invitation).url
    assert Match.objects.count() == 1


def test_a_player_who_comes_too_late_gets_a_message(
    client: Client, alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    commands.accept(invitation.pk, bob)
    client.force_login(charlie)
    seen = do(client, "accept", invitation, follow=True).content.decode()
    assert "This invitation is no longer open. You can find others in the lobby." in seen
    assert "Bob has accepted." in seen


def test_the_owner_sees_no_button_to_accept(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    client.force_login(alice)
    seen = client.get(invitation.get_absolute_url()).content.decode()
    assert reverse("lobby:accept", args=[invitation.pk]) not in seen
    assert reverse("lobby:withdraw", args=[invitation.pk]) in seen
    assert "Keep it open for 14 more days" in seen


def test_declining_withdrawing_and_prolonging_show_a_message(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    first, second = offer(alice, guest=bob), offer(alice)
    client.force_login(bob)
    assert "declined" in do(client, "decline", first, follow=True).content.decode()
    client.force_login(alice)
    assert "another 14 days" in do(client, "prolong", second, follow=True).content.decode()
    assert "withdrawn" in do(client, "withdraw", second, follow=True).content.decode()
    statuses = Invitation.objects.order_by("pk").values_list("status", flat=True)
    assert list(statuses) == [InvitationStatus.DECLINED, InvitationStatus.WITHDRAWN]


@pytest.mark.parametrize("action", ["accept", "decline", "withdraw", "prolong"])
def test_an_action_needs_post_and_sign_in(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation], action: str
) -> None:
    invitation = offer(alice, guest=bob)
    address = reverse(f"lobby:{action}", args=[invitation.pk])
    page = invitation.get_absolute_url()
    assert client.post(address)["Location"].endswith(f"?next={page}")
    client.force_login(bob)
    assert client.get(address)["Location"] == page
    invitation.refresh_from_db()
    assert (invitation.status, invitation.prolonged) == (InvitationStatus.OPEN, 0)


@pytest.mark.parametrize("action", ["accept", "decline", "withdraw", "prolong"])
def test_an_action_on_an_invisible_invitation_is_not_found(
    client: Client,
    alice: User,
    bob: User,
    charlie: User,
    offer: Callable[..., Invitation],
    action: str,
) -> None:
    client.force_login(charlie)
    assert do(client, action, offer(alice, guest=bob)).status_code == 404
    assert do(client, action, offer(alice, kind=InvitationKind.LINK)).status_code == 404


def test_an_action_needs_a_csrf_token(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    assert do(client, "accept", offer(alice)).status_code == 403
    assert not Match.objects.exists()


def test_a_closed_invitation_says_so_and_has_no_buttons(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    client.force_login(bob)
    with frozen_at(now() + INVITATION_LIFETIME):
        seen = client.get(invitation.get_absolute_url()).content.decode()
    assert "This invitation is no longer open." in seen
    assert reverse("lobby:accept", args=[invitation.pk]) not in seen


def test_the_same_button_offers_and_accepts_a_rematch(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    match = commands.accept(offer(alice, guest=bob).pk, bob)
    Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
    address = reverse("lobby:rematch", args=[match.pk])
    client.force_login(alice)
    response = client.post(address, follow=True)
    assert "You have offered Bob a rematch." in response.content.decode()
    assert client.post(address)["Location"] == response.redirect_chain[-1][0]
    client.force_login(bob)
    assert client.post(address)["Location"] == match.rematches.get().get_absolute_url()


def test_a_rematch_needs_post_and_a_finished_match_of_the_player(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    match = commands.accept(offer(alice, guest=bob).pk, bob)
    address = reverse("lobby:rematch", args=[match.pk])
    assert client.post(address)["Location"].endswith(f"?next={match.get_absolute_url()}")
    client.force_login(alice)
    assert client.get(address)["Location"] == match.get_absolute_url()
    assert client.post(address)["Location"] == match.get_absolute_url()
    assert client.post(reverse("lobby:rematch", args=[match.pk + 1])).status_code == 404
    # More than an integer column can hold.
    assert client.post(f"/lobby/rematch/{10**30}/").status_code == 404
    assert Invitation.objects.filter(rematch_of=match).count() == 0
