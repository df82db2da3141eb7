"""Webhooks: signed, with public facts only, and stopped after refusals."""

import base64
import hashlib
import hmac
import json
import logging
import re
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.notifications.channels import safe_http, webhooks
from games.notifications.models import Webhook
from games.notifications.policy import preferences
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.outbox.registry import external_keys
from games.play.commands import courtesies, endings
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.proofs import signing
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.notifications.email.every_email import every_email, happen
from tests.notifications.email.reading import delivered
from tests.notifications.receiver import Receiver
from tests.play import match_helpers
from tests.play.match_helpers import People


@pytest.fixture
def browser(client: Client, bob: User) -> Client:
    client.force_login(bob)
    return client


def add(browser: Client, receiver: Receiver, style: str) -> Webhook:
    browser.post("/notifications/webhooks/", {"url": receiver.url(), "style": style})
    return Webhook.objects.latest("pk")


@pytest.fixture
def webhook(browser: Client, receiver: Receiver) -> Webhook:
    return add(browser, receiver, "json")


def received_messages(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(one.body) for one in receiver.received]


def test_a_turn_is_sent_with_every_public_fact(
    match: Match, webhook: Webhook, receiver: Receiver, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (payload,) = received_messages(receiver)
    deadline = match.players.get(user=bob).deadline
    assert payload["title"] == f"Your turn against Alice in match {match.pk}"
    assert (payload["type"], payload["kind"], payload["player"]) == ("turn-came", "turn", "Bob")
    assert (payload["match"], payload["waiting"]) == (match.pk, 1)
    assert payload["deadline"] == deadline.isoformat(timespec="seconds")
    assert payload["link"] == f"http://localhost:8000/match/{match.pk}/"
    head = signing.shown_head(match_view.view_match(match.pk, bob))
    assert head is not None
    assert payload["proof"] == {"statement": head.statement, "signature": head.signature}


def test_an_offer_with_a_turn_is_one_message(
    match: Match, webhook: Webhook, receiver: Receiver, alice: User
) -> None:
    match_helpers.play(match, "a4-a5")
    endings.offer_draw(match.pk, alice)
    courtesies.offer_pause(match.pk, alice)
    dispatcher.drain()
    (message,) = received_messages(receiver)
    assert message["type"] == "turn-came"
    assert message["text"].startswith("Alice offers you a draw. Alice offers you a pause. Move by ")


def test_an_offer_after_the_message_about_the_turn_is_its_own_message(
    match: Match, webhook: Webhook, receiver: Receiver, alice: User
) -> None:
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    endings.offer_draw(match.pk, alice)
    dispatcher.drain()
    assert [message["type"] for message in received_messages(receiver)] == [
        "turn-came",
        "draw-offered",
    ]


def test_messages_are_signed_as_standard_webhooks_requires(
    match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (one,) = receiver.received
    head = one.headers
    key = base64.b64decode(webhooks.shown_secret(webhook).removeprefix("whsec_"))
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + one.body
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert head["webhook-signature"] == f"v1,{mac}"


def test_discord_gets_text_with_its_markup_escaped(
    match: Match, browser: Client, receiver: Receiver
) -> None:
    add(browser, receiver, "discord")
    User.objects.filter(username="Alice").update(username="_Alice_*@everyone")
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (payload,) = received_messages(receiver)
    assert payload["allowed_mentions"] == {"parse": []}
    assert r"\_Alice\_\*\@everyone" in payload["content"]
    assert f"<http://localhost:8000/match/{match.pk}/>" in payload["content"]


def test_messages_contain_no_move_no_rank_and_no_board(
    who: People, browser: Client, receiver: Receiver
) -> None:
    """Every kind of event, a battle among them, to a webhook of either form for each player."""
    add(browser, receiver, "json")
    add(browser, receiver, "discord")
    alices = Client()
    alices.force_login(who.alice)
    add(alices, receiver, "json")
    every_email(who)
    bodies = [one.body.decode() for one in receiver.received]
    kinds = {json.loads(body).get("type") for body in bodies} - {None}
    assert len(kinds) >= 10 and "pause-offered" in kinds
    squares = re.compile(r"\b[a-k](?:[1-9]|10)(?:[-x]|\b)")
    for body in bodies:
        for word in ("Scout", "Miner", "Marshal", "Spy", "captured", "moved", "RRR"):
            assert word not in body
        payload = json.loads(body)
        shown = " ".join(str(payload.get(name, "")) for name in ("title", "text", "content"))
        assert not squares.search(shown), shown


def test_worlds_that_bob_cannot_tell_apart_send_him_the_same_message(
    who: People, webhook: Webhook, receiver: Receiver
) -> None:
    """Armies that differ only in hidden ranks cause the same bytes."""
    worlds = []
    for south in ("RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
                  "RRR1R1RSCE/EBFLLG1ECB/KLRSKBR1BS/LMJYKJRKES"):  # fmt: skip
        receiver.received.clear()
        with frozen_at(now().replace(microsecond=0)):
            match = match_helpers.set_up(match_helpers.new_match(who), south=south)
            match_helpers.play(match, "a4-a5")
            dispatcher.drain()
            endings.resign(match.pk, who.alice)
            dispatcher.drain()
        # Two matches have two numbers and two instants; nothing else may tell them apart.
        # Their heads have random nonces; tests/secrecy compares them.
        changing = re.compile(rb"[0-9a-f]{64,128}|\d+")
        worlds.append([changing.sub(b"N", one.body) for one in receiver.received])
    assert worlds[0] == worlds[1] and len(worlds[0]) >= 2


@pytest.mark.parametrize("status", [503, 429])
def test_a_busy_address_is_retried_without_repeating_the_email(
    match: Match, webhook: Webhook, receiver: Receiver, bob: User, status: int
) -> None:
    receiver.status = status
    match_helpers.play(match, "a4-a5")
    assert len([email for email in delivered() if email.to == [bob.email]]) == 1
    webhook.refresh_from_db()
    assert webhook.failures == 1 and str(status) in webhook.why and not webhook.stopped
    receiver.status = 204
    with frozen_at(now() + timedelta(hours=1)):
        assert delivered() == []
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.why) == (0, "") and webhook.sent_at
    identities = {one.headers["webhook-id"] for one in receiver.received}
    assert len(receiver.received) == 2 and len(identities) == 1


def hourly(hours: float) -> None:
    """Run the dispatcher every hour for that long."""
    at = now()
    for hour in range(1, int(hours) + 1):
        with frozen_at(at + timedelta(hours=hour)):
            dispatcher.drain()


@pytest.mark.parametrize(
    ("status", "why"),
    tiers.parameters(
        (
            (404, "error (404)"),
            (401, "error (401)"),
            (500, "error (500)"),
            (302, "redirects to another"),
        ),
        fast=((500, "error (500)"),),
    ),
)
def test_an_address_that_fails_for_days_is_stopped_and_its_owner_notified(
    match: Match,
    webhook: Webhook,
    receiver: Receiver,
    browser: Client,
    bob: User,
    status: int,
    why: str,
) -> None:
    receiver.status, receiver.location = status, receiver.url("/other")
    match_helpers.play(match, "a4-a5")
    at = now()
    dispatcher.drain()
    hourly(60)
    webhook.refresh_from_db()
    assert len(receiver.received) > 20 and not webhook.stopped and why in webhook.why
    page = browser.get("/notifications/").content.decode()
    assert why in page and "It will be tried again." in page
    with frozen_at(at + timedelta(hours=60)):
        hourly(13)
    webhook.refresh_from_db()
    assert webhook.stopped and why in webhook.why
    bob.refresh_from_db()
    assert bob.unreached == "webhook" and preferences.read(bob).ways == ()
    assert "One of your webhooks fails and was stopped." in browser.get("/").content.decode()
    page = browser.get("/notifications/").content.decode()
    assert why in page and "It will be tried again." not in page
    receiver.status = 200
    browser.post(f"/notifications/try/webhook/{webhook.pk}/")
    dispatcher.drain()
    webhook.refresh_from_db()
    bob.refresh_from_db()
    assert not webhook.stopped and not webhook.failures
    assert bob.unreached == "" and preferences.read(bob).ways == ("webhook",)


@pytest.mark.parametrize(
    ("status", "matches"),
    tiers.parameters([(503, 4), *product((500, 503, 404, 400, 302), [12])], fast=[(503, 4)]),
)
def test_no_number_of_failures_within_a_day_stops_an_address(
    who: People, match: Match, webhook: Webhook, receiver: Receiver, status: int, matches: int
) -> None:
    """A service that is down for twenty hours, while some matches have notifications."""
    receiver.status, at = status, now()
    for other in [match, *(match_helpers.running_match(who) for _ in range(matches - 1))]:
        match_helpers.play(other, "a4-a5")
    for minutes in (0, 1, 3, 10, 60, 180, 600, 1200):
        with frozen_at(at + timedelta(minutes=minutes)):
            dispatcher.drain()
    webhook.refresh_from_db()
    assert len(receiver.received) >= matches and not webhook.stopped and webhook.failures == 1
    receiver.status = 200
    with frozen_at(at + timedelta(hours=21)):
        match_helpers.play(match, "j7-j6", "b4-b5")
        dispatcher.drain()
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.why, webhook.stopped) == (0, "", False)


def test_failures_far_apart_with_successes_between_stop_nothing(
    match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    at = now()
    for week in range(8):
        receiver.status = 400 if week % 2 else 200
        with frozen_at(at + timedelta(weeks=week)):
            event = Dispatch.objects.filter(handler="webhook").count()
            publish_turn(match, webhook.user, event)
            dispatcher.drain()
    webhook.refresh_from_db()
    assert len(receiver.received) == 8 and not webhook.stopped and webhook.failures == 1


def publish_turn(match: Match, user: User, again: int) -> None:
    """It is the user's turn, once more."""
    happen("match-reopened", user=user, match=match.pk, again=again)


def test_an_address_that_refuses_messages_on_four_days_is_stopped(
    match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.status, at = 400, now()
    for day in range(4):
        webhook.refresh_from_db()
        assert not webhook.stopped
        with frozen_at(at + timedelta(days=day)):
            for again in (2 * day, 2 * day + 1):
                publish_turn(match, webhook.user, again)
            dispatcher.drain()
    webhook.refresh_from_db()
    assert webhook.stopped and "rejected a message (400)" in webhook.why


def test_a_message_that_is_refused_is_not_sent_again(
    match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.status = 413
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert Dispatch.objects.get(event="turn-came", handler="webhook").dead_at
    hourly(3)
    webhook.refresh_from_db()
    assert len(receiver.received) == 1 and not webhook.stopped


def test_an_address_that_is_gone_is_stopped_at_once(
    match: Match, webhook: Webhook, receiver: Receiver, bob: User
) -> None:
    receiver.status = 410
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    webhook.refresh_from_db()
    bob.refresh_from_db()
    assert webhook.stopped and "no longer in use (410)" in webhook.why
    assert bob.unreached == "webhook" and preferences.read(bob).ways == ()


def test_an_address_is_not_called_before_its_retry_after(
    who: People, match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    """Retry-After holds for every message to that address, not only for the one it answered."""
    receiver.status, receiver.retry_after = 429, str(3 * 3600)
    at = now().replace(microsecond=0)
    with frozen_at(at):
        match_helpers.play(match, "a4-a5")
        dispatcher.drain()
        row = Dispatch.objects.get(event="turn-came", handler="webhook")
        assert row.not_before == at + timedelta(hours=3) and row.attempts == 1
        match_helpers.play(match_helpers.running_match(who), "a4-a5")
        dispatcher.drain()
    receiver.status = 200
    with frozen_at(at + timedelta(hours=2.9)):
        dispatcher.drain()
    assert len(receiver.received) == 1
    with frozen_at(at + timedelta(hours=3)):
        dispatcher.drain()
    assert len(receiver.received) >= 3
    webhook.refresh_from_db()
    assert webhook.retry_at is None and webhook.failures == 0


def test_a_message_that_is_always_postponed_is_dropped_after_three_days(
    match: Match, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.status, receiver.retry_after = 503, "86400"
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    hourly(74)
    webhook.refresh_from_db()
    assert webhook.stopped and len(receiver.received) == 4
    assert Dispatch.objects.get(event="turn-came", handler="webhook").dead_at


def test_calls_to_other_servers_come_after_emails() -> None:
    assert set(external_keys()) == {"push", "trial-push", "trial-webhook", "webhook"}


def test_slow_webhooks_of_one_player_delay_no_email_of_others(
    who: People, match: Match, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match begins while the first of them is being called; any time counts as a slow call."""
    monkeypatch.setattr(dispatcher, "EXTERNAL_SLICE_SECONDS", 0)
    call = safe_http.post

    def slow_call(*what: Any) -> safe_http.Response:
        monkeypatch.setattr(safe_http, "post", call)
        match_helpers.new_match(People(who.charlie, who.alice, who.bob))
        return call(*what)

    for other in (match, match_helpers.running_match(who)):
        match_helpers.play(other, "a4-a5")
    monkeypatch.setattr(safe_http, "post", slow_call)
    dispatcher.drain()
    rows = Dispatch.objects.filter(sent_at__isnull=False)
    posted = rows.filter(event="turn-came", handler="webhook").order_by("sent_at")
    email = rows.get(event="match-began", user=who.charlie)
    assert posted[0].sent_at < email.sent_at < posted[1].sent_at


def test_an_address_that_becomes_private_is_not_called_and_stopped_after_days(
    match: Match, webhook: Webhook, receiver: Receiver, settings: Settings
) -> None:
    settings.SAFE_HTTP_TRUSTED = frozenset()
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    webhook.refresh_from_db()
    assert not webhook.stopped and "is in a private network" in webhook.why
    hourly(73)
    webhook.refresh_from_db()
    assert webhook.stopped and receiver.received == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/", "must start with https"),
        ("https://192.168.1.1/", "private network"),
        ("https://8.8.8.8:22/", "must not contain a port"),
        ("https://a:b@8.8.8.8/", "a username or a password"),
    ],
)
def test_an_invalid_address_is_refused_with_a_sentence(browser: Client, url: str, why: str) -> None:
    page = browser.post("/notifications/webhooks/", {"url": url, "style": "json"})
    assert why in page.content.decode() and not Webhook.objects.exists()


def test_a_user_can_have_three_webhooks(browser: Client, receiver: Receiver) -> None:
    for _ in range(4):
        page = browser.post("/notifications/webhooks/", {"url": receiver.url(), "style": "json"})
    assert "You have 3 webhooks," in page.content.decode() and Webhook.objects.count() == 3


def test_addresses_are_not_in_logs_or_the_outbox(
    match: Match, webhook: Webhook, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.status = 500
    with caplog.at_level(logging.DEBUG):
        match_helpers.play(match, "a4-a5")
        dispatcher.drain()
    rows = str(list(Dispatch.objects.values()))
    assert "key=1" not in caplog.text + rows and webhook.secret not in caplog.text + rows
