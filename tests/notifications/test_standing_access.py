"""Standing access needs reauthentication, and a new password leads to a warning about it."""

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.notifications import standing_access
from games.notifications.channels import webhooks
from games.notifications.models import Device, Feed, Webhook
from games.outbox.delivery import dispatcher

PASSWORD = "troop of foxes"
ADDED = {
    "/notifications/webhooks/": {"url": "https://8.8.8.8/hook", "style": "json"},
    "/notifications/feeds/renew/": {},
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return User.objects.create_confirmed("Annabel", "ann@example.org", PASSWORD)


@pytest.fixture
def old_session(ann: User) -> Client:
    """A session of Ann's without a recent sign-in."""
    client = Client()
    client.force_login(ann)
    return client


@pytest.fixture
def recent_session(ann: User) -> Client:
    client = Client()
    client.post("/account/login/", {"login": "Annabel", "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.mark.parametrize("path", ADDED)
def test_an_old_session_adds_nothing(old_session: Client, ann: User, path: str) -> None:
    answer = old_session.post(path, ADDED[path])
    assert answer.status_code == 302 and answer["Location"].startswith("/account/reauthenticate/")
    assert not standing_access.has_any(ann)


@pytest.mark.parametrize("path", ADDED)
def test_a_recent_session_adds_it_and_the_owner_is_notified(
    recent_session: Client, ann: User, path: str
) -> None:
    assert recent_session.post(path, ADDED[path])["Location"] == "/notifications/"
    assert standing_access.has_any(ann)
    dispatcher.drain()
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    assert message.subject == "[Estafette] A device, webhook or feed was added"
    assert "new feed addresses" not in message.body  # also for the first feed
    assert "8.8.8.8" not in message.body and "/notifications/" in message.body


@pytest.mark.parametrize("path", ADDED)
def test_access_is_added_after_the_password_was_entered(
    old_session: Client, ann: User, path: str
) -> None:
    where = old_session.post(path, ADDED[path])["Location"]
    old_session.post(where, {"password": PASSWORD})
    assert standing_access.has_any(ann)


def change_password(client: Client) -> str:
    form = {"oldpassword": PASSWORD, "password1": "herd of horses", "password2": "herd of horses"}
    return client.post("/account/password/change/", form, follow=True).content.decode()


def test_a_new_password_warns_of_standing_access(recent_session: Client, ann: User) -> None:
    webhooks.add(ann, "https://8.8.8.8/hook", "json")
    assert "Your devices, webhooks and feeds keep" in change_password(recent_session)


def test_no_warning_is_shown_without_standing_access(recent_session: Client) -> None:
    assert "keep receiving" not in change_password(recent_session)


def test_one_button_ends_all_standing_access(recent_session: Client) -> None:
    for path, form in ADDED.items():
        recent_session.post(path, form)
    assert (
        "Remove all devices, webhooks and feeds"
        in recent_session.get("/notifications/").content.decode()
    )
    recent_session.post("/notifications/close/")
    for model in (Device, Webhook, Feed):
        assert not model._default_manager.exists()
    assert "Remove all devices" not in recent_session.get("/notifications/").content.decode()
