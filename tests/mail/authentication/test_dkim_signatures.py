"""DKIM checks with real keys, published by a real DNS server."""

import base64
import time
from collections.abc import Iterator
from hashlib import sha256

import dkim
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.mail.answering import worker
from games.mail.authentication import dkim_signatures
from games.mail.models import IncomingMessage
from games.play.models.match import Match
from tests.mail import post
from tests.mail.conftest import Begun
from tests.mail.dns_server import Zone, dns_server
from tests.play import match_helpers
from tests.play.match_helpers import People

ALICE = "alice@example.org"
POLICY = "v=DMARC1; p=reject"


@pytest.fixture(scope="module")
def keys() -> tuple[bytes, str]:
    """A private key, and the TXT record with its public key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


@pytest.fixture
def zone(settings: Settings, keys: tuple[bytes, str]) -> Iterator[Zone]:
    settings.DEMO = False
    settings.MAIL_CHECK_DKIM = True
    settings.MAIL_REPLIES = "true"
    with dns_server() as zone:
        settings.MAIL_DNS = ("127.0.0.1", zone.port)
        for domain in ("example.org", "mail.example.org", "example.net"):
            zone.txt_records[f"s1._domainkey.{domain}"] = [keys[1]]
        yield zone


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def match(begun: Begun) -> Match:
    return begun.match


@pytest.fixture
def turn(zone: Zone, begun: Begun) -> EmailMultiAlternatives:
    return begun.turn


def message(text: str = "b4-b5", sender: str = ALICE) -> bytes:
    return post.written(sender, text).replace(b"\n", b"\r\n")


def signed(raw: bytes, private: bytes, domain: str = "example.org", **more: object) -> bytes:
    options = {"include_headers": [b"from", b"subject", b"message-id"]} | more
    return bytes(dkim.sign(raw, b"s1", domain.encode(), private, **options)) + raw


def test_a_signature_of_the_from_domain_counts(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str]
) -> None:
    post.take(turn, signed(message(), keys[0]), ALICE)
    assert post.last().outcome == "played"


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [
        ([POLICY], "played"),
        (["other", POLICY], "played"),
        ([f"{POLICY}; adkim=r"], "played"),
        ([f"{POLICY}; adkim=s"], "confirm"),
        ([], "confirm"),
        ([POLICY, "v=DMARC1; p=none"], "confirm"),
        (["v=DMARC1"], "confirm"),
        (["v=DMARC1; nonsense"], "confirm"),
    ],
    ids=[
        "relaxed",
        "beside another",
        "relaxed by name",
        "strict",
        "none",
        "two",
        "empty",
        "broken",
    ],
)
def test_a_subdomain_may_sign_under_relaxed_alignment(
    turn: EmailMultiAlternatives,
    keys: tuple[bytes, str],
    zone: Zone,
    policy: list[str],
    outcome: str,
) -> None:
    zone.txt_records["_dmarc.example.org"] = policy
    post.take(turn, signed(message(), keys[0], "mail.example.org"), ALICE)
    assert post.last().outcome == outcome


def test_the_second_signature_counts_too(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str]
) -> None:
    raw = signed(signed(message(), keys[0]), keys[0], "example.net")
    post.take(turn, raw, ALICE)
    assert post.last().outcome == "played"


def forgeries(private: bytes) -> dict[str, bytes]:
    good, unsigned = signed(message("moves"), private), message()
    return {
        "no signature": unsigned,
        "another text": good.replace(b"moves", b"b4-b5"),
        "another's domain": signed(unsigned, private, "example.net"),
        "lines at the end": signed(message("moves"), private, length=True) + b"\r\nb4-b5\r\n",
        "a second From": b"From: alice@example.org\r\n" + good.replace(b"moves", b"b4-b5"),
        "an old algorithm": signed(unsigned, private, signature_algorithm=b"rsa-sha1"),
        "a key that nobody publishes": signed(unsigned, private).replace(b"s=s1", b"s=s2"),
        "no key's name": signed(unsigned, private).replace(b"s=s1", b"s=.." + b"x" * 300),
        "a carriage return alone": signed(unsigned, private).replace(b"\r\nFrom", b"\rx\r\nFrom"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "no signature",
        "another text",
        "another's domain",
        "lines at the end",
        "a second From",
        "an old algorithm",
        "a key that nobody publishes",
        "no key's name",
        "a carriage return alone",
    ],
)
def test_other_signatures_do_not_count(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str], match: Match, name: str
) -> None:
    post.take(turn, forgeries(keys[0])[name], ALICE)
    # A message without a valid From is dropped without a receipt.
    assert post.last().outcome in ("confirm", "none")
    assert match_helpers.as_is(match).ply == match.ply


@pytest.mark.parametrize("names", ["from:subject", "subject"])
def test_a_signature_without_from_does_not_count(
    zone: Zone, keys: tuple[bytes, str], names: str
) -> None:
    """The library does not create such signatures, but accepts them."""
    fields = {"from": b"From: alice@example.org\r\n", "subject": b"Subject: Re\r\n"}
    body = base64.b64encode(sha256(b"b4-b5\r\n").digest()).decode()
    head = f"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h={names}; bh={body}; b="
    signed = b"".join(fields[name] for name in names.split(":")) + head.encode()
    key = serialization.load_pem_private_key(keys[0], None)
    assert isinstance(key, rsa.RSAPrivateKey)
    signature = base64.b64encode(key.sign(signed, padding.PKCS1v15(), hashes.SHA256()))
    rest = b"\r\n" + b"".join(fields.values()) + b"\r\nb4-b5\r\n"
    good = dkim_signatures.has_valid_signature("example.org", head.encode() + signature + rest)
    assert good == (names == "from:subject")


@pytest.mark.parametrize("away", ["_domainkey", "_dmarc"])
def test_a_message_waits_while_dns_is_unavailable(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str], zone: Zone, away: str
) -> None:
    zone.txt_records["_dmarc.example.org"] = [POLICY]
    names = {"_domainkey": "s1._domainkey.mail.example.org", "_dmarc": "_dmarc.example.org"}
    zone.fails = {names[away]}
    post.take(turn, signed(message(), keys[0], "mail.example.org"), ALICE)
    row = post.last()
    assert (row.outcome, row.attempts) == ("", 1) and row.lease_until is not None
    zone.fails = set()
    IncomingMessage.objects.update(lease_until=None)
    worker.process_waiting()
    assert post.last().outcome == "played"


def test_after_the_last_attempt_the_player_has_to_confirm(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str], zone: Zone, alice: User
) -> None:
    zone.fails = {"s1._domainkey.example.org"}
    post.take(turn, signed(message(), keys[0]), ALICE)
    for _ in range(worker.MAX_ATTEMPTS):
        IncomingMessage.objects.update(lease_until=None)
        worker.process_waiting()
    assert post.last().outcome == "confirm"


def test_strangers_cause_no_lookups(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str], zone: Zone
) -> None:
    post.take(turn, signed(message(sender="eve@example.net"), keys[0], "example.net"))
    assert zone.queried == []


def test_signatures_are_checked_only_with_the_setting(
    turn: EmailMultiAlternatives, keys: tuple[bytes, str], zone: Zone, settings: Settings
) -> None:
    settings.MAIL_CHECK_DKIM = False
    post.take(turn, signed(message(), keys[0]), ALICE)
    assert (post.last().outcome, zone.queried) == ("confirm", [])


@pytest.mark.parametrize("where", ["body", "signature"])
def test_long_runs_of_spaces_take_little_time(
    zone: Zone, keys: tuple[bytes, str], where: str
) -> None:
    raw = signed(message(), keys[0])
    blanks = b" " * 900_000
    if where == "body":
        raw += blanks + b"x\r\n"
    else:
        raw = raw.replace(b"q=dns/txt;", b"q=dns/txt;" + blanks[:60_000])
    began = time.process_time()
    assert not dkim_signatures.has_valid_signature("example.org", raw)
    assert time.process_time() - began < 5
