"""Webhooks of a bot: entered by its owner, sent without e-mails, closed with the bot."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.people import bots
from accounts.people.erasure import erase
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.notifications.channels import safe_http, webhooks
from games.notifications.models import Webhook
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.terms import Terms
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db

PAGE = "/notifications/bots/Bot-Alina/"
URL = "https://example.org/hook"


@pytest.fixture
def bot(alice: User) -> User:
    return bots.create(alice, "Alina")


@pytest.fixture
def alice_browser(alice: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Alice's browser; no address is looked up."""
    monkeypatch.setattr(safe_http, "check", lambda url: None)
    return client_of(alice)


def test_the_owner_adds_tests_and_removes_a_webhook(
    alice_browser: Client, bot: User, alice: User
) -> None:
    assert alice_browser.post(PAGE, {"url": URL, "style": "json"})["Location"] == PAGE
    webhook = Webhook.objects.get()
    assert (webhook.user, webhook.url) == (bot, URL)
    assert URL in alice_browser.get(PAGE).content.decode()
    alice_browser.post(PAGE, {"test": str(webhook.pk)})
    assert Dispatch.objects.get(event="trial").user == bot
    alice_browser.post(PAGE, {"remove": str(webhook.pk)})
    assert not Webhook.objects.exists()


def test_an_invalid_address_is_shown_again(alice_browser: Client, bot: User) -> None:
    answer = alice_browser.post(PAGE, {"url": "", "style": "json"})
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


def test_webhooks_of_other_users_are_not_found(
    alice_browser: Client, bot: User, alice: User
) -> None:
    own = webhooks.add(alice, URL, "json")
    assert alice_browser.post(PAGE, {"test": str(own.pk)}).status_code == 404
    alice_browser.post(PAGE, {"remove": str(own.pk)})
    assert Webhook.objects.get() == own


def test_other_users_cannot_open_the_page(
    bot: User, alice: User, bob: User, alice_browser: Client, settings: Settings
) -> None:
    bots.create(bob, "Bill")
    for handle in ("Bot-Bill", "Bob", "Nobody"):
        assert alice_browser.get(f"/notifications/bots/{handle}/").status_code == 404
    assert Client().get(PAGE)["Location"].startswith("/account/login/")
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = True
    alice.set_password("troop of foxes")
    alice.save()
    assert client_of(alice).get(PAGE)["Location"].startswith("/account/reauthenticate/")


def test_an_event_is_sent_to_the_webhook_and_not_by_email(
    alice_browser: Client, bot: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(webhooks, "_send", lambda *arguments: sent.append(arguments))
    alice_browser.post(PAGE, {"url": URL, "style": "json"})
    terms = Terms("lattaque-en", setup_pace="5d")
    lobby.offer(bob, terms, kind=InvitationKind.CHALLENGE, guest=bot)
    while dispatcher.drain():
        pass
    assert [webhook.user for webhook, *_facts in sent] == [bot]
    assert not mail.outbox


def test_erasing_the_bot_deletes_its_webhooks(alice_browser: Client, bot: User) -> None:
    alice_browser.post(PAGE, {"url": URL, "style": "json"})
    erase(bot)
    assert not Webhook.objects.exists()
