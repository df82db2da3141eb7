"""Standing access needs reauthentication, and a new password leads to a warning about it."""

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.notifications import standing
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
def stolen(ann: User) -> Client:
    """A session of hers without a recent sign-in."""
    client = Client()
    client.force_login(ann)
    return client


@pytest.fixture
def fresh(ann: User) -> Client:
    client = Client()
    client.post("/account/login/", {"login": "Annabel", "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.mark.parametrize("path", ADDED)
def test_an_old_session_adds_nothing(stolen: Client, ann: User, path: str) -> None:
    answer = stolen.post(path, ADDED[path])
    assert answer.status_code == 302 and answer["Location"].startswith("/account/reauthenticate/")
    assert not standing.has_any(ann)


@pytest.mark.parametrize("path", ADDED)
def test_who_has_just_said_who_they_are_adds_it_and_is_told(
    fresh: Client, ann: User, path: str
) -> None:
    assert fresh.post(path, ADDED[path])["Location"] == "/notifications/"
    assert standing.has_any(ann)
    dispatcher.drain()
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    assert message.subject == "[Estafette] A device, webhook or feed was added"
    assert "new feed addresses" not in message.body  # also for the first feed
    assert "8.8.8.8" not in message.body and "/notifications/" in message.body


@pytest.mark.parametrize("path", ADDED)
def test_after_the_password_it_is_added(stolen: Client, ann: User, path: str) -> None:
    where = stolen.post(path, ADDED[path])["Location"]
    stolen.post(where, {"password": PASSWORD})
    assert standing.has_any(ann)


def change_password(client: Client) -> str:
    form = {"oldpassword": PASSWORD, "password1": "herd of horses", "password2": "herd of horses"}
    return client.post("/account/password/change/", form, follow=True).content.decode()


def test_a_new_password_points_out_what_goes_on(fresh: Client, ann: User) -> None:
    webhooks.add(ann, "https://8.8.8.8/hook", "json")
    assert "Your devices, webhooks and feeds keep" in change_password(fresh)


def test_where_nothing_goes_on_nothing_is_said(fresh: Client) -> None:
    assert "keep receiving" not in change_password(fresh)


def test_all_of_it_ends_with_one_button(fresh: Client) -> None:
    for path, form in ADDED.items():
        fresh.post(path, form)
    assert "Remove all devices, webhooks and feeds" in fresh.get("/notifications/").content.decode()
    fresh.post("/notifications/close/")
    for model in (Device, Webhook, Feed):
        assert not model._default_manager.exists()
    assert "Remove all devices" not in fresh.get("/notifications/").content.decode()
