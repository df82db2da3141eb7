"""Private links: anyone with the link may accept, and pages do not leak it."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby import commands, views
from games.lobby.invitations import private_links
from games.lobby.models import Invitation, InvitationKind
from games.play.models.match import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def invitation(alice: User, offer: Callable[..., Invitation]) -> Invitation:
    return offer(alice, kind=InvitationKind.LINK)


@pytest.fixture
def address(invitation: Invitation) -> str:
    return private_links.address(invitation.pk).removeprefix(settings.SITE_URL)


def test_the_owner_is_shown_the_whole_link_every_time(
    client: Client, alice: User, invitation: Invitation
) -> None:
    client.force_login(alice)
    for _ in range(2):
        seen = client.get(invitation.get_absolute_url()).content.decode()
        assert private_links.address(invitation.pk) in seen


def test_the_database_does_not_contain_the_token(invitation: Invitation) -> None:
    token = private_links.write_token(invitation.pk)
    for value in Invitation.objects.values().get().values():
        assert token not in str(value)


@pytest.mark.parametrize("token", ["", "1", "1.", "x.y", "1.wrong", "-1.wrong", "%00"])
def test_a_forged_token_is_not_found(client: Client, invitation: Invitation, token: str) -> None:
    assert private_links.read_token(token) is None
    if token:
        assert client.get(reverse("lobby:link", args=[token])).status_code == 404


def test_a_token_opens_only_its_own_invitation(
    invitation: Invitation, alice: User, offer: Callable[..., Invitation]
) -> None:
    other = offer(alice, kind=InvitationKind.LINK, note="another")
    signature = private_links.write_token(other.pk).partition(".")[2]
    assert private_links.read_token(f"{invitation.pk}.{signature}") is None


def test_the_link_of_an_open_seat_or_a_challenge_does_not_exist(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    for other in (offer(alice), offer(alice, guest=bob)):
        token = private_links.write_token(other.pk)
        assert client.get(reverse("lobby:link", args=[token])).status_code == 404


def test_a_visitor_reads_the_terms_and_comes_back_after_signing_in(
    client: Client, address: str
) -> None:
    response = client.get(address)
    seen = response.content.decode()
    assert "Alice invites you" in seen
    assert f"{reverse('account_login')}?next={address}" in seen
    assert f"{reverse('account_signup')}?next={address}" in seen
    # The CSRF check refuses a form that is sent without a referrer.
    assert "<form" not in seen


def test_the_link_is_hidden_from_search_engines_and_other_sites(
    client: Client, bob: User, address: str
) -> None:
    for reader in (None, bob):
        if reader:
            client.force_login(reader)
        response = client.get(address)
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["Referrer-Policy"] == "no-referrer"
        assert "no-store" in response["Cache-Control"]
    client.logout()
    assert (
        '<meta name="robots" content="noindex, nofollow">' in client.get(address).content.decode()
    )


def test_signed_in_readers_are_redirected_to_a_url_without_the_token(
    client: Client, bob: User, invitation: Invitation, address: str
) -> None:
    client.force_login(bob)
    assert client.get(address)["Location"] == invitation.get_absolute_url()
    seen = client.get(invitation.get_absolute_url()).content.decode()
    assert reverse("lobby:accept", args=[invitation.pk]) in seen
    assert private_links.write_token(invitation.pk) not in seen


def test_it_is_accepted_with_a_csrf_token(
    alice: User, bob: User, invitation: Invitation, address: str
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    page = client.get(address, follow=True)
    seal = page.context["csrf_token"]
    accept = reverse("lobby:accept", args=[invitation.pk])
    response = client.post(
        accept, {"csrfmiddlewaretoken": str(seal)}, headers={"origin": "http://testserver"}
    )
    assert response["Location"] == Match.objects.get().get_absolute_url()


def test_without_the_link_there_is_nothing_to_see_or_to_accept(
    client: Client, charlie: User, invitation: Invitation
) -> None:
    client.force_login(charlie)
    assert client.get(invitation.get_absolute_url()).status_code == 404
    assert client.post(reverse("lobby:accept", args=[invitation.pk])).status_code == 404


def test_a_link_of_an_accepted_invitation_says_so(
    client: Client, bob: User, charlie: User, invitation: Invitation, address: str
) -> None:
    commands.accept(invitation.pk, bob, by_link=True)
    client.force_login(charlie)
    assert "Bob has accepted." in client.get(address, follow=True).content.decode()


def test_the_link_of_a_withdrawn_invitation_does_not_work(
    client: Client, alice: User, bob: User, invitation: Invitation, address: str
) -> None:
    commands.withdraw(invitation.pk, alice)
    client.force_login(bob)
    seen = client.get(address, follow=True).content.decode()
    assert "This invitation was withdrawn." in seen
    client.post(reverse("lobby:accept", args=[invitation.pk]))
    assert not Match.objects.exists()


def test_the_session_remembers_a_limited_number_of_links(
    client: Client,
    alice: User,
    bob: User,
    offer: Callable[..., Invitation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(views, "MAX_OPENED_LINKS", 2)
    client.force_login(bob)
    made = [offer(alice, kind=InvitationKind.LINK) for number in range(3)]
    for invitation in made:
        client.get(reverse("lobby:link", args=[private_links.write_token(invitation.pk)]))
    assert client.session[views.OPENED_LINKS] == [made[1].pk, made[2].pk]
