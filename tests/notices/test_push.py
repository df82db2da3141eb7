"""Notices on devices: a push endpoint of this machine that opens what it is sent."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import http_ece
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.test import Client

from accounts.models import User
from games.notices import push, seal, wishes
from games.notices.models import Device
from games.play import commands
from games.play.models.match import Match
from games.relay import carrier
from games.relay.models import Dispatch
from games.relay.moment import now, standing_at
from tests.mail.reading import delivered
from tests.notices.receiver import Received, Receiver
from tests.play import tables

SECRET = b"0123456789abcdef"


@dataclass
class Browser:
    """What a browser keeps to itself when it subscribes."""

    key: ec.EllipticCurvePrivateKey
    receiver: Receiver

    @property
    def subscription(self) -> dict[str, str]:
        return {
            "endpoint": self.receiver.url("/push/1"),
            "p256dh": seal.encode(seal._point(self.key.public_key())),
            "auth": seal.encode(SECRET),
            "name": "Firefox, Linux",
        }

    def open(self, came: Received) -> dict[str, object]:
        opened = http_ece.decrypt(
            came.body, private_key=self.key, auth_secret=SECRET, version="aes128gcm"
        )
        told: dict[str, object] = json.loads(opened)
        return told

    def shown(self) -> list[dict[str, object]]:
        return [self.open(came) for came in self.receiver.received]


@pytest.fixture
def browser(receiver: Receiver, bob: User) -> Browser:
    """Bob's, which he has added."""
    browser = Browser(ec.generate_private_key(ec.SECP256R1()), receiver)
    client = Client()
    client.force_login(bob)
    client.post("/notices/devices/", browser.subscription)
    assert Device.objects.get().name == "Firefox, Linux"
    return browser


def test_a_turn_is_shown_sealed_for_that_browser_alone(match: Match, browser: Browser) -> None:
    tables.play(match, "a4-a5")
    carrier.drain()
    (told,) = browser.shown()
    assert told["title"] == f"Your turn against Alice in match {match.pk}"
    assert str(told["body"]).startswith("Your move must be here by ")
    assert told["link"] == f"http://localhost:8000/match/{match.pk}/" and told["waiting"] == 1
    (came,) = browser.receiver.received
    assert b"Alice" not in came.body
    stranger = Browser(ec.generate_private_key(ec.SECP256R1()), browser.receiver)
    with pytest.raises(Exception, match="Decryption error"):
        stranger.open(came)


def test_the_push_service_learns_who_sends(match: Match, browser: Browser) -> None:
    tables.play(match, "a4-a5")
    carrier.drain()
    headers = browser.receiver.received[0].headers
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    assert headers["topic"] == f"match-{match.pk}"
    scheme, token, key = headers["authorization"].split(" ")
    signed, _dot, signature = token.removeprefix("t=").removesuffix(",").rpartition(".")
    head, claims = (json.loads(seal.decode(part)) for part in signed.split("."))
    assert (scheme, head) == ("vapid", {"typ": "JWT", "alg": "ES256"})
    assert claims["aud"] == f"https://127.0.0.1:{browser.receiver.port}"
    assert claims["sub"].startswith("mailto:")
    left = datetime.fromtimestamp(claims["exp"], UTC) - datetime.now(UTC)
    assert timedelta() < left < timedelta(hours=24)
    raw = seal.decode(key.removeprefix("k="))
    assert base64.urlsafe_b64encode(raw).decode().rstrip("=") == seal.public_key()
    verify(raw, signature, signed)
    with pytest.raises(InvalidSignature):
        verify(raw, signature, signed + "x")


def verify(key: bytes, signature: str, signed: str) -> None:
    raw = seal.decode(signature)
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))


def test_the_key_is_the_same_after_a_restart() -> None:
    first = seal.public_key()
    seal._key_from.cache_clear()
    assert seal.public_key() == first


@pytest.mark.parametrize("size", [0, 1, 100, seal.MOST])
def test_every_length_that_fits_can_be_opened(size: int) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    sealed = seal.seal(b"x" * size, seal.encode(seal._point(key.public_key())), seal.encode(SECRET))
    assert len(sealed) <= 4096
    opened = http_ece.decrypt(sealed, private_key=key, auth_secret=SECRET, version="aes128gcm")
    assert opened == b"x" * size


def test_the_longest_notice_in_any_alphabet_fits(match: Match, browser: Browser, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(language="zh-hant")
    headline = push.Headline("軍" * 100, "旗" * 5000, "https://example.org/" + "x" * 80, "match-1")
    push._send(Device.objects.get(), headline, headline.text, 9)
    assert len(browser.receiver.received[0].body) <= 4096


def test_what_happened_is_told_to_whoever_wants_it(
    match: Match, browser: Browser, bob: User, wish: Callable[..., None]
) -> None:
    tables.play(match, "a4-a5", "j7-j6", "b4-b5")
    carrier.drain()
    assert not any("b5" in str(told) for told in browser.shown())
    wish(bob, push_detail="move")
    tables.play(match, "j6-j5", "b5-b4")
    carrier.drain()
    assert str(browser.shown()[-1]["body"]).startswith("Alice moved from b5 to b4.\n")


def test_only_what_is_wanted_is_shown(
    match: Match, browser: Browser, bob: User, wish: Callable[..., None]
) -> None:
    wish(bob, unwanted=("push turn",))
    tables.play(match, "a4-a5")
    carrier.drain()
    assert browser.shown() == []
    commands.resign(match.pk, bob)
    carrier.drain()
    assert [told["title"] for told in browser.shown()] == [
        f"Match {match.pk} against Alice is over"
    ]


def test_a_turn_that_has_passed_is_not_shown(match: Match, browser: Browser, bob: User) -> None:
    browser.receiver.status = 503
    tables.play(match, "a4-a5")
    carrier.drain()
    browser.receiver.status = 201
    browser.receiver.received.clear()
    tables.play(match, "j7-j6")
    with standing_at(now() + timedelta(hours=2)):
        carrier.drain()
    assert browser.shown() == []


def test_a_busy_push_service_is_tried_again_and_no_letter_with_it(
    match: Match, browser: Browser, bob: User
) -> None:
    browser.receiver.status = 503
    tables.play(match, "a4-a5")
    assert len([letter for letter in delivered() if letter.to == [bob.email]]) == 1
    row = Dispatch.objects.get(event="turn-came:push")
    assert (row.attempts, row.error) == (1, "ConnectionError 503")
    browser.receiver.status = 201
    with standing_at(now() + timedelta(hours=1)):
        assert delivered() == []
    assert len(browser.shown()) == 2
    assert Device.objects.get().sent_at


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_removed_and_its_owner_told(
    match: Match, browser: Browser, bob: User, status: int
) -> None:
    browser.receiver.status = status
    tables.play(match, "a4-a5")
    carrier.drain()
    assert not Device.objects.exists() and Dispatch.objects.get(event="turn-came:push").dead_at
    bob.refresh_from_db()
    assert bob.unreached == "push" and wishes.of(bob).ways == ()
    client = Client()
    client.force_login(bob)
    assert "A device of yours takes no notices any more" in client.get("/").content.decode()
    client.post("/notices/seen/")
    assert "A device of yours" not in client.get("/").content.decode()


def test_quiet_hours_hold_a_push_back(
    match: Match, browser: Browser, bob: User, wish: Callable[..., None]
) -> None:
    wish(bob, zone="UTC", quiet_from=22, quiet_until=7)
    night = datetime(2026, 1, 20, 23, tzinfo=UTC)
    with standing_at(night):
        tables.play(match, "a4-a5")
        carrier.drain()
        assert browser.shown() == []
    with standing_at(night + timedelta(hours=8)):
        carrier.drain()
    assert [told["title"] for told in browser.shown()] == [
        f"Your turn against Alice in match {match.pk}"
    ]


def test_a_test_is_shown_on_that_device(browser: Browser, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    client.post(f"/notices/try/push/{Device.objects.get().pk}/")
    carrier.drain()
    assert [told["title"] for told in browser.shown()] == ["Notices arrive"]


def test_an_inner_address_is_no_push_service(browser: Browser, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    inner = browser.subscription | {"endpoint": "https://10.0.0.1/push"}
    page = client.post("/notices/devices/", inner, follow=True)
    assert "leads into a private network" in page.content.decode()
    broken = browser.subscription | {"p256dh": "AAAA", "endpoint": browser.receiver.url("/2")}
    page = client.post("/notices/devices/", broken, follow=True)
    assert "The browser gave no usable key." in page.content.decode()
    assert Device.objects.count() == 1


def test_one_browser_is_one_device_whoever_uses_it(browser: Browser, alice: User) -> None:
    client = Client()
    client.force_login(alice)
    client.post("/notices/devices/", browser.subscription)
    assert Device.objects.get().user == alice


def test_the_script_that_shows_notices_may_open_any_page(client: Client, db: None) -> None:
    script = client.get("/service-worker.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert b"showNotification" in script.content and b"fetch" not in script.content


def test_whoever_has_no_device_costs_nothing(
    match: Match, bob: User, django_assert_num_queries
) -> None:
    tables.play(match, "a4-a5")
    delivered()
    assert Dispatch.objects.filter(event__contains=":").count() == 0
