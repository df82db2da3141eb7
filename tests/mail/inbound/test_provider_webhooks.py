"""Webhooks of mail providers: authenticated; raw messages, by envelope recipient and not by To."""

import hashlib
import hmac
import json
from base64 import b64encode
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from games.mail import intake, sealing
from games.mail.answering import worker
from games.mail.models import IncomingMessage
from games.play.models.match import Match
from tests.mail import post
from tests.mail.conftest import Begun
from tests.mail.post import written
from tests.play import match_helpers
from tests.play.match_helpers import People

RAW = {"postmark": "RawEmail", "mailgun": "body-mime", "ses": "content"}
SECRET = "estafette:a-long-secret-of-the-webhook"


def forged(writer: str, text: str, **more: Any) -> bytes:
    """A message with the result that our own mail server would write."""
    result = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
    return result + post.written(writer, text, **more)


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def match(begun: Begun) -> Match:
    return begun.match


@pytest.fixture
def address(begun: Begun) -> str:
    return post.reply_to(begun.turn)


def postmark(address: str, text: str = "b4-b5", secret: str = SECRET, **changed: Any) -> Any:
    raw = written("alice@example.org", text, headers={"To": "somebody@example.net"}).decode()
    fields = {
        "FromFull": {"Email": "eve@example.net"},
        "To": "somebody@example.net",
        "OriginalRecipient": address,
        "Headers": [{"Name": "Return-Path", "Value": "<alice@example.org>"}],
        "RawEmail": raw,
    } | changed
    login = b64encode(secret.encode()).decode()
    body = json.dumps({name: value for name, value in fields.items() if value is not None})
    client = Client(headers={"Authorization": f"Basic {login}"}, enforce_csrf_checks=True)
    return client.post("/mail/in/postmark/", body, content_type="application/json")


def mailgun(address: str, key: str = SECRET, **changed: str) -> Any:
    signature = hmac.new(key.encode(), b"1800000000token", hashlib.sha256).hexdigest()
    body = {
        "recipient": address,
        "sender": "alice@example.org",
        "body-mime": written("alice@example.org", "b4-b5").decode(),
        "timestamp": "1800000000",
        "token": "token",
        "signature": signature,
    }
    return Client(enforce_csrf_checks=True).post("/mail/in/mailgun/mime/", body | changed)


def ses(address: str, secret: str = SECRET, encoding: str = "UTF-8", **changed: Any) -> Any:
    raw = written("alice@example.org", "b4-b5")
    body = {
        "notificationType": "Received",
        "mail": {"source": "alice@example.org", "destination": ["somebody@example.net"]},
        "receipt": {"recipients": [address], "action": {"type": "SNS", "encoding": encoding}},
        "content": b64encode(raw).decode() if encoding == "BASE64" else raw.decode(),
    }
    return sns({"Type": "Notification", "Message": json.dumps(body | changed)}, secret)


def sns(body: dict[str, Any], secret: str = SECRET) -> Any:
    login = b64encode(secret.encode()).decode()
    client = Client(headers={"Authorization": f"Basic {login}"}, enforce_csrf_checks=True)
    return client.post("/mail/in/ses/", json.dumps(body), content_type="text/plain")


@pytest.fixture(params=[postmark, mailgun, ses], ids=["postmark", "mailgun", "ses"])
def provider(request: pytest.FixtureRequest, settings: Settings) -> Any:
    settings.MAIL_PROVIDER = request.param.__name__
    settings.MAIL_PROVIDER_SECRET = SECRET
    return request.param


def test_a_message_is_stored_by_its_envelope_recipient(provider: Any, address: str) -> None:
    assert provider(address).status_code == 200
    row = IncomingMessage.objects.get()
    assert b"b4-b5" in post.raw(row) and row.way_in == "webhook"


def test_a_forged_result_is_not_accepted(
    provider: Any, address: str, match: Match, settings: Settings
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    ply = match_helpers.as_is(match).ply
    with patch(f"{__name__}.written", forged):
        assert provider(address).status_code == 200
    assert b"dmarc=pass" in post.raw(IncomingMessage.objects.get())
    worker.process_waiting()
    assert post.last().outcome == "confirm"
    assert match_helpers.as_is(match).ply == ply


def test_a_request_without_the_secret_is_refused(provider: Any, address: str) -> None:
    wrong = {"key": "another-key"} if provider is mailgun else {"secret": "estafette:x"}
    answer = provider(address, **wrong)
    assert answer.status_code == 403
    assert not IncomingMessage.objects.exists()


def test_without_a_configured_secret_there_is_no_webhook(
    provider: Any, address: str, settings: Settings
) -> None:
    settings.MAIL_PROVIDER_SECRET = ""
    assert provider(address).status_code == 404
    settings.MAIL_PROVIDER_SECRET, settings.MAIL_PROVIDER = SECRET, ""
    assert provider(address).status_code == 404


def test_an_unknown_recipient_is_refused_permanently(provider: Any, address: str) -> None:
    answer = provider("nobody@example.org")
    assert answer.status_code == (406 if provider is mailgun else 403)


def test_a_storage_error_asks_for_a_retry(
    provider: Any, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(intake, "store_message", fail)
    assert provider(address).status_code == 503


def test_a_redelivery_is_the_same_row(provider: Any, address: str) -> None:
    message = post.written("alice@example.org", "board", message_id="<same@example.org>").decode()
    name = RAW[provider.__name__]
    for _ in range(2):
        assert provider(address, **{name: message}).status_code == 200
    assert IncomingMessage.objects.count() == 1


def test_a_request_that_is_too_large_is_refused(provider: Any, address: str) -> None:
    name = RAW[provider.__name__]
    assert provider(address, **{name: "x" * 1_100_000}).status_code == 413


@pytest.mark.parametrize("body", ["[]", "null", "true", '{"signature": "a"}', "[" * 100_000])
def test_a_malformed_request_is_refused_like_one_without_the_secret(
    client: Client, settings: Settings, db: None, body: str
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "mailgun", SECRET
    answer = client.post("/mail/in/mailgun/", body, content_type="application/json")
    assert answer.status_code == 403


@pytest.mark.parametrize("changed", [{"RawEmail": None}, {"RawEmail": 7}, {"Headers": 7}])
def test_a_request_without_a_raw_message_is_a_bad_request(
    address: str, settings: Settings, changed: dict[str, Any]
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "postmark", SECRET
    assert postmark(address, **changed).status_code == 400
    assert not IncomingMessage.objects.exists()


@pytest.mark.parametrize("encoding", ["UTF-8", "BASE64"])
def test_amazon_may_encode_the_content_in_base64(
    address: str, settings: Settings, encoding: str
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "ses", SECRET
    assert ses(address, encoding=encoding).status_code == 200
    assert b"b4-b5" in post.raw(IncomingMessage.objects.get())


def test_amazon_delivers_a_message_to_several_reply_addresses_at_once(
    begun: Begun, address: str, settings: Settings
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "ses", SECRET
    match_helpers.play(begun.match, "b4-b5")
    other = post.reply_to(post.email(begun.who.bob))
    recipients = [address, "somebody@example.net", "some+body@example.net", other]
    receipt = {"recipients": recipients, "action": {"type": "SNS"}}
    raw = post.written("alice@example.org", "board").decode()
    for _ in range(2):
        assert ses(address, receipt=receipt, content=raw).status_code == 200
    rows = IncomingMessage.objects.order_by("pk")
    assert [sealing.envelope_of(row)["recipient"] for row in rows] == [address, other]
    strangers = {"recipients": recipients[1:3], "action": {"type": "SNS"}}
    assert ses(address, receipt=strangers).status_code == 403


@pytest.mark.parametrize("changed", [{"content": None}, {"receipt": {}}, {"mail": []}])
def test_an_amazon_request_without_content_is_a_bad_request(
    address: str, settings: Settings, changed: dict[str, Any]
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "ses", SECRET
    assert ses(address, **changed).status_code == 400
    assert not IncomingMessage.objects.exists()


def test_amazon_gets_an_authentication_challenge(db: None, settings: Settings) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "ses", SECRET
    answer = Client().post("/mail/in/ses/", "{}", content_type="text/plain")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Basic ")


def test_admins_are_requested_to_confirm_the_amazon_subscription(
    db: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = "ses", SECRET
    settings.ADMINS = [("", "admin@example.org")]
    page = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc"
    answer = sns({"Type": "SubscriptionConfirmation", "SubscribeURL": page})
    assert answer.status_code == 200
    assert page in mail.outbox[-1].body and "Token" not in caplog.text
    elsewhere = "https://sns.eu-west-1.amazonaws.com.evil.example/?Token=abc"
    answer = sns({"Type": "SubscriptionConfirmation", "SubscribeURL": elsewhere})
    assert answer.status_code == 400 and len(mail.outbox) == 1
