"""Forms of the notifications page count once, even if a process is killed in between."""

from collections.abc import Mapping

import pytest
from django.test import Client

from accounts.models import User
from games.idempotency import replay
from games.idempotency.models import StoredResponse
from games.notifications.channels import feeds, safe_http, webhooks
from games.notifications.models import Device, Feed, Webhook
from games.notifications.policy import channel_status, preferences
from games.notifications.policy.kinds import Channel
from games.outbox.models import Dispatch
from tests.notifications.channels.test_push import Browser, new_browser
from tests.notifications.receiver import Receiver
from tests.notifications.test_page import PAGE, form_data

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


class Killed(BaseException):
    """Raised where a process is killed before it stores the response."""


@pytest.fixture
def browser(client: Client, bob: User) -> Client:
    client.force_login(bob)
    return client


@pytest.fixture
def phone(receiver: Receiver) -> Browser:
    return new_browser(receiver)


def submit_to_killed_process(browser: Client, path: str, form: Mapping[str, object]) -> None:
    """Send the form to a process that is killed between the command and its response."""
    with pytest.MonkeyPatch.context() as patch:

        def die(*_: object) -> None:
            raise Killed

        patch.setattr(replay, "store_response", die)
        with pytest.raises(Killed):
            browser.post(path, form)


def a_webhook(bob: User) -> Webhook:
    return webhooks.add(bob, "https://8.8.8.8/", "json")


def test_a_webhook_submitted_twice_at_once_is_added_once(
    browser: Client, bob: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same form comes again while the name in the first is being looked up."""
    second = Client()
    second.force_login(bob)
    form = {"url": receiver.url(), "style": "json", "idempotency_key": replay.new_key(bob)}
    check = safe_http.check

    def meanwhile(url: str) -> None:
        monkeypatch.setattr(safe_http, "check", check)
        assert second.post("/notifications/webhooks/", form).status_code == 302
        check(url)

    monkeypatch.setattr(safe_http, "check", meanwhile)
    assert browser.post("/notifications/webhooks/", form).status_code == 302
    assert Webhook.objects.count() == StoredResponse.objects.count() == 1


def test_a_fourth_webhook_is_refused_while_the_third_is_added(
    browser: Client, bob: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        a_webhook(bob)
    check = safe_http.check

    def meanwhile(url: str) -> None:
        monkeypatch.setattr(safe_http, "check", check)
        a_webhook(bob)

    monkeypatch.setattr(safe_http, "check", meanwhile)
    page = browser.post("/notifications/webhooks/", {"url": receiver.url(), "style": "json"})
    assert "You have 3 webhooks," in page.content.decode() and Webhook.objects.count() == 3


def test_a_webhook_and_its_response_are_stored_together(
    browser: Client, bob: User, receiver: Receiver
) -> None:
    form = {"url": receiver.url(), "style": "json", "idempotency_key": replay.new_key(bob)}
    submit_to_killed_process(browser, "/notifications/webhooks/", form)
    assert not Webhook.objects.exists()
    for _ in range(2):
        assert browser.post("/notifications/webhooks/", form).status_code == 302
    assert Webhook.objects.count() == 1


def test_a_webhook_removal_and_its_response_are_stored_together(browser: Client, bob: User) -> None:
    webhook = a_webhook(bob)
    submit_to_killed_process(
        browser,
        f"/notifications/webhooks/{webhook.pk}/remove/",
        {"idempotency_key": replay.new_key(bob)},
    )
    assert Webhook.objects.exists()


def test_a_device_and_its_response_are_stored_together(
    browser: Client, bob: User, phone: Browser
) -> None:
    channel_status.mark_unreached(bob, Channel.PUSH)
    submit_to_killed_process(
        browser,
        "/notifications/devices/",
        phone.subscription | {"idempotency_key": replay.new_key(bob)},
    )
    bob.refresh_from_db()
    assert not Device.objects.exists() and bob.unreached == "push"


def test_a_device_removal_and_its_response_are_stored_together(
    browser: Client, bob: User, phone: Browser
) -> None:
    browser.post("/notifications/devices/", phone.subscription)
    device = Device.objects.get()
    submit_to_killed_process(
        browser,
        f"/notifications/devices/{device.pk}/remove/",
        {"idempotency_key": replay.new_key(bob)},
    )
    assert Device.objects.exists()


def test_a_test_is_sent_once(browser: Client, bob: User) -> None:
    form = {"idempotency_key": replay.new_key(bob)}
    submit_to_killed_process(browser, "/notifications/try/email/", form)
    for _ in range(2):
        browser.post("/notifications/try/email/", form)
    assert Dispatch.objects.filter(handler="trial-email").count() == 1


def test_feeds_are_renewed_once(browser: Client, bob: User) -> None:
    """A user may have copied the new address; a repeated form must not replace it."""
    feeds.renew(bob)
    before = feeds.addresses(bob)
    form = {"idempotency_key": replay.new_key(bob)}
    submit_to_killed_process(browser, "/notifications/feeds/renew/", form)
    assert feeds.addresses(bob) == before
    browser.post("/notifications/feeds/renew/", form)
    renewed = feeds.addresses(bob)
    browser.post("/notifications/feeds/renew/", form)
    assert feeds.addresses(bob) == renewed != before


def test_closed_feeds_and_the_response_are_stored_together(browser: Client, bob: User) -> None:
    feeds.renew(bob)
    submit_to_killed_process(
        browser, "/notifications/feeds/close/", {"idempotency_key": replay.new_key(bob)}
    )
    assert Feed.objects.exists()


def test_preferences_and_the_response_are_stored_together(browser: Client, bob: User) -> None:
    """Or the same form, sent again later, would undo changes made in between."""
    form = form_data(browser, frequency="twice", email_turn=False)
    form["idempotency_key"] = replay.new_key(bob)
    submit_to_killed_process(browser, PAGE, form)
    bob.refresh_from_db()
    assert preferences.read(bob).frequency == "now" and bob.match_emails


def test_acknowledged_warnings_and_the_response_are_stored_together(
    browser: Client, bob: User
) -> None:
    channel_status.mark_unreached(bob, Channel.PUSH)
    submit_to_killed_process(
        browser, "/notifications/seen/", {"idempotency_key": replay.new_key(bob)}
    )
    bob.refresh_from_db()
    assert bob.unreached == "push"
