"""Web push, with a local push service that decrypts the messages."""

import base64
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from games.notifications.channels import safe_http, web_push, webpush_crypto
from games.notifications.models import Device
from games.notifications.policy import preferences
from games.notifications.policy.summaries import Summary
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.commands import courtesies, endings
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.notifications.email.every_email import happen
from tests.notifications.email.reading import delivered
from tests.notifications.receiver import Received, Receiver
from tests.play import match_helpers

SECRET = b"0123456789abcdef"


def public_key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A public key as browsers write it."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decrypted(body: bytes, key: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """The decrypted body, as RFC 8291 defines it and without the library that encrypted it.

    Raises InvalidTag if it was not encrypted for this browser.
    """

    def derive(from_what: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt=salt, info=info).derive(from_what)

    salt, record, end = body[:16], int.from_bytes(body[16:20], "big"), 21 + body[20]
    sender, sealed = body[21:end], body[end:]
    assert len(sealed) <= record == 4096
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    shared = key.exchange(ec.ECDH(), theirs)
    material = derive(shared, secret, b"WebPush: info\0" + public_key_bytes(key) + sender, 32)
    content_key = derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(material, salt, b"Content-Encoding: nonce\0", 12)
    padded = AESGCM(content_key).decrypt(nonce, sealed, None)
    message, mark, _ = padded.rpartition(b"\x02")
    assert mark
    return message


@dataclass
class Browser:
    """A browser's secrets of a push subscription."""

    key: ec.EllipticCurvePrivateKey
    receiver: Receiver

    @property
    def subscription(self) -> dict[str, str]:
        return {
            "endpoint": self.receiver.url("/push/1"),
            "p256dh": webpush_crypto.encode(public_key_bytes(self.key)),
            "auth": webpush_crypto.encode(SECRET),
            "name": "Firefox, Linux",
        }

    def open(self, came: Received) -> dict[str, object]:
        payload: dict[str, object] = json.loads(decrypted(came.body, self.key, SECRET))
        return payload

    def shown_notices(self) -> list[dict[str, object]]:
        return [self.open(came) for came in self.receiver.received]


def new_browser(receiver: Receiver) -> Browser:
    return Browser(ec.generate_private_key(ec.SECP256R1()), receiver)


@pytest.fixture
def browser(receiver: Receiver, bob: User) -> Browser:
    """Bob's browser, added as a device."""
    browser = new_browser(receiver)
    client = Client()
    client.force_login(bob)
    client.post("/notifications/devices/", browser.subscription)
    assert Device.objects.get().name == "Firefox, Linux"
    return browser


def test_a_turn_is_encrypted_for_that_browser_alone(match: Match, browser: Browser) -> None:
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (note,) = browser.shown_notices()
    assert note["title"] == f"Your turn against Alice in match {match.pk}"
    assert str(note["body"]).startswith("Move by ")
    assert note["link"] == f"http://localhost:8000/match/{match.pk}/" and note["waiting"] == 1
    (came,) = browser.receiver.received
    assert b"Alice" not in came.body
    stranger = new_browser(browser.receiver)
    with pytest.raises(InvalidTag):
        stranger.open(came)


def test_an_offer_with_a_turn_is_one_notification(
    match: Match, browser: Browser, alice: User
) -> None:
    match_helpers.play(match, "a4-a5")
    endings.offer_draw(match.pk, alice)
    dispatcher.drain()
    (notice,) = browser.shown_notices()
    assert notice["title"] == f"Your turn against Alice in match {match.pk}"
    assert str(notice["body"]).startswith("Alice offers you a draw.\nMove by ")


def test_a_reader_without_push_about_turns_gets_the_offer(
    match: Match, browser: Browser, alice: User, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, unwanted=("push turn",))
    match_helpers.play(match, "a4-a5")
    endings.offer_draw(match.pk, alice)
    dispatcher.drain()
    (notice,) = browser.shown_notices()
    assert notice["title"] == f"Alice offers a draw in match {match.pk}"


def test_the_request_identifies_the_sender_to_the_push_service(
    match: Match, browser: Browser
) -> None:
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    headers = browser.receiver.received[0].headers
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    assert headers["topic"] == f"match-{match.pk}"
    scheme, _blank, fields = headers["authorization"].partition(" ")
    token, key = (field.strip() for field in fields.split(","))
    signed, _dot, signature = token.removeprefix("t=").rpartition(".")
    head, claims = (json.loads(webpush_crypto.decode(part)) for part in signed.split("."))
    assert (scheme, head) == ("vapid", {"typ": "JWT", "alg": "ES256"})
    assert claims["aud"] == f"https://127.0.0.1:{browser.receiver.port}"
    assert claims["sub"].startswith("mailto:")
    left = datetime.fromtimestamp(claims["exp"], UTC) - datetime.now(UTC)
    assert timedelta() < left < timedelta(hours=24)
    raw = webpush_crypto.decode(key.removeprefix("k="))
    assert base64.urlsafe_b64encode(raw).decode().rstrip("=") == webpush_crypto.public_key()
    verify(raw, signature, signed)
    with pytest.raises(InvalidSignature):
        verify(raw, signature, signed + "x")


def verify(key: bytes, signature: str, signed: str) -> None:
    raw = webpush_crypto.decode(signature)
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))


def test_the_key_is_the_same_after_a_restart() -> None:
    first = webpush_crypto.public_key()
    webpush_crypto._own_key.cache_clear()
    assert webpush_crypto.public_key() == first


@pytest.mark.parametrize("site", ["http://localhost:8000", "https://estafette.example:8443"])
def test_the_contact_address_is_sent_to_push_services_in_any_form(
    settings: Settings, site: str
) -> None:
    settings.SITE_URL, settings.HTTPS = site, site.startswith("https")
    settings.MAIL_DOMAIN = "intranet"
    token = (
        webpush_crypto.vapid_header("https://push.example:444/a/b").partition("t=")[2].split(".")
    )
    claims = json.loads(webpush_crypto.decode(token[1]))
    assert claims["aud"] == "https://push.example:444"
    assert claims["sub"] == (site if settings.HTTPS else "mailto:post@intranet")


@pytest.mark.parametrize("key", ["any long secret", "", "abc", "A" * 43, "b" * 64, "_" * 43])
def test_an_invalid_key_is_refused_with_a_sentence(settings: Settings, key: str) -> None:
    settings.VAPID_KEY = key
    with pytest.raises(ImproperlyConfigured, match="VAPID_KEY is no private key"):
        webpush_crypto.public_key()


@pytest.mark.parametrize("size", [1, 100, webpush_crypto.MAX_PLAINTEXT_BYTES])
def test_every_length_within_the_limit_can_be_decrypted(size: int) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    sealed = webpush_crypto.encrypt(
        b"x" * size, webpush_crypto.encode(public_key_bytes(key)), webpush_crypto.encode(SECRET)
    )
    assert len(sealed) <= 4096
    assert decrypted(sealed, key, SECRET) == b"x" * size


def test_a_longer_message_is_refused() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(ValueError, match="too long"):
        webpush_crypto.encrypt(
            b"x" * (webpush_crypto.MAX_PLAINTEXT_BYTES + 1),
            webpush_crypto.encode(public_key_bytes(key)),
            webpush_crypto.encode(SECRET),
        )


RFC_8291 = {  # its example in section 5 and appendix A
    "plaintext": "V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24",
    "sender": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "browser": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
    "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "body": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}


def test_the_example_of_the_standard_is_encrypted_and_decrypted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    example = {name: webpush_crypto.decode(text) for name, text in RFC_8291.items()}
    sender, browser = (
        ec.derive_private_key(int.from_bytes(example[name], "big"), ec.SECP256R1())
        for name in ("sender", "browser")
    )
    assert decrypted(example["body"], browser, example["auth"]) == example["plaintext"]
    with monkeypatch.context() as chance:
        chance.setattr(ec, "generate_private_key", lambda curve: sender)
        chance.setattr(os, "urandom", lambda length: example["salt"])
        sealed = webpush_crypto.encrypt(example["plaintext"], RFC_8291["p256dh"], RFC_8291["auth"])
    assert sealed == example["body"]


def test_the_longest_notice_fits_in_any_alphabet(match: Match, browser: Browser, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(language="zh-hant")
    summary = Summary("軍" * 100, "旗" * 5000, "https://example.org/" + "x" * 80, "match-1")
    web_push._send(Device.objects.get(), summary, summary.text, 9)
    assert len(browser.receiver.received[0].body) <= 4096


def test_events_are_sent_to_users_who_want_them(
    match: Match, browser: Browser, bob: User, prefer: Callable[..., None]
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6", "b4-b5")
    dispatcher.drain()
    assert not any("b5" in str(note) for note in browser.shown_notices())
    prefer(bob, push_detail="move")
    match_helpers.play(match, "j6-j5", "b5-b4")
    dispatcher.drain()
    assert str(browser.shown_notices()[-1]["body"]).startswith("Alice moved from b5 to b4.\n")


def test_only_wanted_kinds_are_shown(
    match: Match, browser: Browser, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, unwanted=("push turn",))
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert browser.shown_notices() == []
    endings.resign(match.pk, bob)
    dispatcher.drain()
    assert [note["title"] for note in browser.shown_notices()] == [
        f"Match {match.pk} against Alice is over"
    ]


def test_a_turn_that_has_passed_is_not_shown(match: Match, browser: Browser, bob: User) -> None:
    browser.receiver.status = 503
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    browser.receiver.status = 201
    browser.receiver.received.clear()
    match_helpers.play(match, "j7-j6")
    with frozen_at(now() + timedelta(hours=2)):
        dispatcher.drain()
    assert browser.shown_notices() == []


def test_a_busy_push_service_is_retried_without_repeating_the_email(
    match: Match, browser: Browser, bob: User
) -> None:
    browser.receiver.status = 503
    match_helpers.play(match, "a4-a5")
    assert len([email for email in delivered() if email.to == [bob.email]]) == 1
    row = Dispatch.objects.get(event="turn-came", handler="push")
    assert (row.attempts, row.error) == (1, "ConnectionError 503")
    browser.receiver.status = 201
    with frozen_at(now() + timedelta(hours=1)):
        assert delivered() == []
    assert len(browser.shown_notices()) == 2
    assert Device.objects.get().sent_at


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_removed_and_its_owner_notified(
    match: Match, browser: Browser, bob: User, status: int
) -> None:
    browser.receiver.status = status
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert (
        not Device.objects.exists()
        and Dispatch.objects.get(event="turn-came", handler="push").dead_at
    )
    bob.refresh_from_db()
    assert bob.unreached == "push" and preferences.read(bob).ways == ()
    client = Client()
    client.force_login(bob)
    assert "One of your devices no longer accepts notifications" in client.get("/").content.decode()
    client.post("/notifications/seen/")
    assert "One of your devices" not in client.get("/").content.decode()


@pytest.fixture
def of_another_key(browser: Browser, settings: Settings) -> Browser:
    """The device was added before this server got another key."""
    settings.VAPID_KEY = webpush_crypto.encode(b"7" * 32)
    return browser


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_device_tied_to_another_key_is_stopped_and_its_owner_notified(
    match: Match, of_another_key: Browser, bob: User, status: int
) -> None:
    receiver = of_another_key.receiver
    receiver.status = status
    client = Client()
    client.force_login(bob)
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    device = Device.objects.get()
    assert device.stopped and Dispatch.objects.get(event="turn-came", handler="push").dead_at
    bob.refresh_from_db()
    assert bob.unreached == "push" and preferences.read(bob).ways == ()
    assert (
        "One of your devices no longer accepts notifications." in client.get("/").content.decode()
    )
    page = client.get("/notifications/").content.decode()
    assert f"rejects this server&#x27;s key for the device ({status})" in page
    assert "A successful test starts it again." in page and "was removed" not in page
    match_helpers.play(match, "j7-j6", "b4-b5")
    dispatcher.drain()
    assert len(receiver.received) == 1
    receiver.status = 201
    client.post(f"/notifications/try/push/{device.pk}/")
    dispatcher.drain()
    bob.refresh_from_db()
    assert bob.unreached == "" and preferences.read(bob).ways == ("push",)
    assert "key for the device" not in client.get("/notifications/").content.decode()


@pytest.mark.parametrize("status", tiers.parameters((401, 403), fast=(401,)))
def test_a_wrong_server_clock_stops_no_device_within_days(
    match: Match, browser: Browser, status: int
) -> None:
    """The key is right, but the push service does not accept the signature for some hours."""
    browser.receiver.status, at = status, now()
    match_helpers.play(match, "a4-a5")
    for hours in range(40):
        with frozen_at(at + timedelta(hours=hours)):
            dispatcher.drain()
    assert not Device.objects.get().stopped
    assert f"this server's signature ({status})" in Device.objects.get().why
    browser.receiver.status = 201
    with frozen_at(at + timedelta(hours=41)):
        dispatcher.drain()
    device = Device.objects.get()
    assert (device.failures, device.why) == (0, "") and device.sent_at
    assert Dispatch.objects.get(event="turn-came", handler="push").sent_at


@pytest.mark.parametrize("status", tiers.parameters((400, 405, 413, 301), fast=(400, 301)))
def test_a_push_service_that_refuses_stops_the_device_after_four_days(
    match: Match, browser: Browser, bob: User, status: int
) -> None:
    """Unlike 404 and 410, which remove it, and unlike 503, after which it is tried again."""
    browser.receiver.status, at = status, now()
    for day in range(4):
        assert not Device.objects.get().stopped
        with frozen_at(at + timedelta(days=day)):
            for again in (2 * day, 2 * day + 1):
                happen("match-reopened", user=bob, match=match.pk, again=again)
            dispatcher.drain()
            # Nothing is sent again: the service would refuse it again.
            assert len(browser.receiver.received) == min(2 * day + 2, 7)
    device = Device.objects.get()
    assert device.stopped and f"rejects messages for this device ({status})" in device.why
    bob.refresh_from_db()
    assert bob.unreached == "push" and preferences.read(bob).ways == ()


@pytest.mark.parametrize("messages_a_day", tiers.parameters((2, 3), fast=(2,)))
def test_a_push_service_that_is_down_for_a_week_stops_no_device(
    match: Match, browser: Browser, bob: User, messages_a_day: int
) -> None:
    browser.receiver.status, at = 503, now()
    for day in range(8):
        with frozen_at(at + timedelta(days=day)):
            for again in range(messages_a_day):
                happen("match-reopened", user=bob, match=match.pk, again=10 * day + again)
            dispatcher.drain()
    device = Device.objects.get()
    assert not device.stopped and device.failures == 8


@pytest.mark.soak
def test_a_push_service_that_is_down_for_two_weeks_stops_the_device(
    match: Match, browser: Browser, bob: User
) -> None:
    browser.receiver.status, at = 503, now()
    for day in range(14):
        assert not Device.objects.get().stopped
        with frozen_at(at + timedelta(days=day)):
            happen("match-reopened", user=bob, match=match.pk, again=day)
            dispatcher.drain()
    assert Device.objects.get().stopped


def test_a_wrong_answer_of_a_dns_server_removes_no_device(
    match: Match, browser: Browser, settings: Settings
) -> None:
    settings.SAFE_HTTP_TRUSTED = frozenset()
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    device = Device.objects.get()
    assert not device.stopped and "private network" in device.why
    assert browser.receiver.received == []


def test_a_push_service_is_not_called_before_its_retry_after(
    match: Match, browser: Browser, bob: User
) -> None:
    browser.receiver.status, browser.receiver.retry_after = 429, "7200"
    at = now()
    with frozen_at(at):
        match_helpers.play(match, "a4-a5")
        dispatcher.drain()
        happen("match-reopened", user=bob, match=match.pk)
        dispatcher.drain()
    with frozen_at(at + timedelta(hours=1.9)):
        dispatcher.drain()
    assert len(browser.receiver.received) == 1
    browser.receiver.status = 201
    with frozen_at(at + timedelta(hours=2)):
        dispatcher.drain()
    assert len(browser.receiver.received) == 3


def renewal_status(user: User | None, browser: Browser, **changes: str) -> int:
    """The status of the service worker's request, which has a session but no CSRF token."""
    client = Client(enforce_csrf_checks=True)
    if user:
        client.force_login(user)
    form = {"old": browser.subscription["endpoint"], **browser.subscription, **changes}
    del form["name"]
    return client.post("/notifications/devices/renew/", form).status_code


def test_a_browser_that_renews_its_subscription_stays_the_same_device(
    match: Match, browser: Browser, bob: User
) -> None:
    before = Device.objects.get()
    Device.objects.update(stopped=True, failures=4, why="It failed.")
    web_push.refresh(bob)
    renewal = browser.receiver.url("/push/renewed")
    assert renewal_status(bob, browser, endpoint=renewal) == 204
    device = Device.objects.get()
    assert (device.pk, device.name, device.added_at) == (before.pk, before.name, before.added_at)
    assert (device.endpoint, device.stopped, device.failures, device.why) == (renewal, False, 0, "")
    bob.refresh_from_db()
    assert bob.unreached == "" and preferences.read(bob).ways == ("push",)
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert [one.path for one in browser.receiver.received] == ["/push/renewed"]


def test_a_browser_added_again_before_its_renewal_is_one_device(
    browser: Browser, bob: User
) -> None:
    client = Client()
    client.force_login(bob)
    again = {**browser.subscription, "endpoint": browser.receiver.url("/push/2")}
    client.post("/notifications/devices/", again)
    assert Device.objects.count() == 2
    assert renewal_status(bob, browser, endpoint=again["endpoint"]) == 204
    assert Device.objects.get().endpoint == again["endpoint"]


def test_a_device_of_another_user_cannot_be_renewed(
    browser: Browser, alice: User, bob: User
) -> None:
    before = Device.objects.values().get()
    other = browser.receiver.url("/push/other")
    assert renewal_status(alice, browser, endpoint=other) == 404
    assert renewal_status(None, browser, endpoint=other) == 401
    assert renewal_status(bob, browser, old=other, endpoint=other) == 404
    assert renewal_status(bob, browser, endpoint="https://10.0.0.1/push") == 422
    assert renewal_status(bob, browser, endpoint=other, p256dh="AAAA") == 422
    assert renewal_status(bob, browser, endpoint="") == 422
    assert Device.objects.values().get() == before


def test_a_device_stopped_by_another_worker_stays_stopped(
    match: Match, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers send notifications to it; one gets the answer that its key does not fit."""

    def answer(*_: object) -> safe_http.Response:
        Device.objects.update(stopped=True)
        return safe_http.Response(503, b"")

    monkeypatch.setattr(safe_http, "post", answer)
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert Device.objects.get().stopped


@pytest.mark.parametrize("again", ["added anew", "removed"])
def test_a_stopped_device_that_is_added_again_is_not_reported_any_more(
    match: Match, of_another_key: Browser, bob: User, again: str
) -> None:
    browser = of_another_key
    browser.receiver.status = 403
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    client = Client()
    client.force_login(bob)
    if again == "removed":
        client.post(f"/notifications/devices/{Device.objects.get().pk}/remove/")
    else:
        client.post("/notifications/devices/", browser.subscription)
        assert not Device.objects.get().stopped
    bob.refresh_from_db()
    assert bob.unreached == "" and "One of your devices" not in client.get("/").content.decode()


def test_another_new_device_does_not_hide_a_stopped_one(
    match: Match, of_another_key: Browser, bob: User
) -> None:
    browser = of_another_key
    browser.receiver.status = 403
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    client = Client()
    client.force_login(bob)
    other = {**browser.subscription, "endpoint": browser.receiver.url("/push/2")}
    client.post("/notifications/devices/", other)
    bob.refresh_from_db()
    assert bob.unreached == "push" and preferences.read(bob).ways == ("push",)


def test_the_page_shows_the_error_while_it_is_retried(
    match: Match, browser: Browser, bob: User
) -> None:
    client = Client()
    client.force_login(bob)
    match_helpers.play(match, "a4-a5")
    browser.receiver.status = 503
    dispatcher.drain()
    page = client.get("/notifications/").content.decode()
    assert "The address returned an error (503). It will be tried again." in page
    browser.receiver.stop()
    with frozen_at(now() + timedelta(hours=1)):
        dispatcher.drain()
    assert "There was no answer in time." in client.get("/notifications/").content.decode()
    browser.receiver.start()
    device = Device.objects.get()
    assert not device.stopped and device.failed_at and not device.sent_at
    bob.refresh_from_db()
    assert bob.unreached == "" and preferences.read(bob).ways == ("push",)


def test_the_error_is_shown_in_the_owners_language(
    match: Match, browser: Browser, bob: User
) -> None:
    User.objects.filter(pk=bob.pk).update(language="de")
    browser.receiver.status = 503
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert "(503)" in Device.objects.get().why and "answered" not in Device.objects.get().why


def test_quiet_hours_delay_a_push(
    match: Match, browser: Browser, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, zone="UTC", quiet_from=22, quiet_until=7)
    night = datetime(2026, 1, 20, 23, tzinfo=UTC)
    with frozen_at(night):
        match_helpers.play(match, "a4-a5")
        dispatcher.drain()
        assert browser.shown_notices() == []
    with frozen_at(night + timedelta(hours=8)):
        dispatcher.drain()
    assert [note["title"] for note in browser.shown_notices()] == [
        f"Your turn against Alice in match {match.pk}"
    ]


def test_a_test_notification_is_sent_to_that_device_alone(browser: Browser, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    client.post(f"/notifications/try/push/{Device.objects.get().pk}/")
    dispatcher.drain()
    assert [note["title"] for note in browser.shown_notices()] == ["Notifications work"]


def test_a_private_address_is_refused_as_push_service(browser: Browser, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    inner = browser.subscription | {"endpoint": "https://10.0.0.1/push"}
    page = client.post("/notifications/devices/", inner, follow=True)
    assert "is in a private network" in page.content.decode()
    broken = browser.subscription | {"p256dh": "AAAA", "endpoint": browser.receiver.url("/2")}
    page = client.post("/notifications/devices/", broken, follow=True)
    assert "The browser gave no usable key." in page.content.decode()
    assert Device.objects.count() == 1


def test_one_browser_is_one_device_for_all_users(browser: Browser, alice: User) -> None:
    client = Client()
    client.force_login(alice)
    client.post("/notifications/devices/", browser.subscription)
    assert Device.objects.get().user == alice


def test_the_script_that_shows_notices_may_open_any_page(client: Client, db: None) -> None:
    script = client.get("/service-worker.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert b"showNotification" in script.content


def test_a_user_without_devices_costs_no_query(
    match: Match, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    assert Dispatch.objects.filter(event__contains=":").count() == 0


def test_a_clock_change_is_shown_only_while_it_is_true(
    match: Match, browser: Browser, alice: User, bob: User
) -> None:
    courtesies.offer_pause(match.pk, alice)
    dispatcher.drain()
    (note,) = browser.shown_notices()
    assert note["title"] == f"Alice offers a pause in match {match.pk}"
    courtesies.accept_pause(match.pk, bob)
    courtesies.resume(match.pk, alice)
    courtesies.offer_pause(match.pk, alice)
    courtesies.decline_pause(match.pk, bob)
    dispatcher.drain()
    assert [note["title"] for note in browser.shown_notices()[1:]] == [
        f"Alice ends the pause in match {match.pk}"
    ]


def test_each_kind_can_be_switched_off(
    match: Match, browser: Browser, alice: User, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, unwanted=("push time",))
    courtesies.offer_pause(match.pk, alice)
    assert [email.to for email in delivered()] == [[bob.email]]
    assert browser.shown_notices() == []
