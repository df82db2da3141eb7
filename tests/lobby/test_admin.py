"""Admin pages of invitations: read-only, with an action to withdraw."""

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import private_links
from games.lobby.models import Invitation, InvitationKind, InvitationStatus

pytestmark = pytest.mark.django_db

LIST = "/admin/lobby/invitation/"


@pytest.fixture
def admin_client(client: Client, settings: Settings, db: None) -> Client:
    """A client of a superuser."""
    settings.STAFF_NEEDS_MFA = False
    client.force_login(User.objects.create_superuser("Clerk"))
    return client


def test_invitations_are_listed_by_status(
    admin_client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    offer(alice)
    commands.withdraw(offer(alice, note="another").pk, alice)
    assert admin_client.get(LIST).context["cl"].result_count == 2
    assert admin_client.get(LIST, {"status": InvitationStatus.OPEN}).context["cl"].result_count == 1
    assert admin_client.get(LIST, {"q": "alice"}).context["cl"].result_count == 2


def test_the_admin_page_is_read_only_and_shows_no_link(
    admin_client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, kind=InvitationKind.LINK)
    page = f"{LIST}{invitation.pk}/change/"
    seen = admin_client.get(page).content.decode()
    assert 'name="note"' not in seen
    assert private_links.write_token(invitation.pk) not in seen
    admin_client.post(page, {"status": "accepted", "note": "changed"})
    invitation.refresh_from_db()
    assert (invitation.status, invitation.note) == (InvitationStatus.OPEN, "")
    assert admin_client.get(f"{LIST}add/").status_code == 403
    assert admin_client.get(f"{LIST}{invitation.pk}/delete/").status_code == 403


def test_the_action_withdraws_only_open_invitations(
    admin_client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    still_open, accepted = offer(alice), offer(alice, note="another")
    commands.accept(accepted.pk, bob)
    sent = {"action": "withdraw", "_selected_action": [still_open.pk, accepted.pk]}
    sent |= {"apply": "yes", "reason": "Spam."}
    seen = admin_client.post(LIST, sent, follow=True).content.decode()
    assert f"#{still_open.pk}: Withdrawn: Spam." in seen
    assert f"#{accepted.pk}: Withdrawn" not in seen
    still_open.refresh_from_db()
    accepted.refresh_from_db()
    assert (still_open.status, accepted.status) == (
        InvitationStatus.WITHDRAWN,
        InvitationStatus.ACCEPTED,
    )
