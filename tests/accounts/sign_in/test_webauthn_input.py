"""Invalid passkey responses are refused in a sentence, whatever they contain."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests import tiers
from tests.accounts.conftest import PASSWORD

LOGIN, ADD = "/account/2fa/webauthn/login/", "/account/2fa/webauthn/add/"


def packed(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def credential(user: User, **response: bytes) -> str:
    """A response of the right structure, with this in it."""
    handle = packed(str(user.pk).encode())
    filled = {"clientDataJSON": b"{}", "authenticatorData": bytes(37), "signature": b"x"}
    parts = {name: packed(value) for name, value in (filled | response).items()}
    body = {"userHandle": handle, **parts}
    return json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": body})


def no_credentials(_: User) -> list[str]:
    return [
        *("", "null", "[]", '"x"', "1", "{}", '{"response": 1}', "NaN", "1" * 10_000, "x" * 90_000),
        *("[" * 40_000, '{"a":' * 5_000, json.dumps({"id": "A", "rawId": "%", "response": {}})),
    ]


def wrong_credentials(user: User) -> list[str]:
    nested = b"[" * 20_000
    return [
        *(credential(user, clientDataJSON=raw) for raw in (nested, b"[]", b"1", b"\xff", b'""')),
        credential(user, authenticatorData=b""),
        credential(user, authenticatorData=bytes(32) + b"\xff" * 900),
        credential(user, authenticatorData=bytes(32) + b"\x40" + bytes(22) + b"\x81" * 9_000),
        *(credential(user, attestationObject=raw) for raw in (b"", b"\x81" * 9_000, b"\xa0", b"1")),
    ]


def test_no_passkey_response_of_a_visitor_causes_a_server_error(ann: User) -> None:
    wrong_ones = [*no_credentials(ann), *wrong_credentials(ann)]
    for number, wrong in enumerate(wrong_ones):
        browser = Client(REMOTE_ADDR=f"10.9.{number}.1")
        browser.get(LOGIN, headers={"x-requested-with": "XMLHttpRequest"})
        answer = browser.post(LOGIN, {"credential": wrong})
        assert answer.status_code in (200, 302), wrong[:60]
        assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize(
    "wrong_ones", tiers.parameters((no_credentials, wrong_credentials), fast=(wrong_credentials,))
)
def test_no_passkey_response_of_a_user_causes_a_server_error(
    ann: User, wrong_ones: Callable[[User], list[str]]
) -> None:
    browser = Client()
    browser.post("/account/login/", {"login": ann.username, "password": PASSWORD})
    browser.post("/account/reauthenticate/", {"password": PASSWORD})
    for wrong in wrong_ones(ann):
        assert browser.get(ADD).status_code == 200
        answer = browser.post(ADD, {"credential": wrong, "name": "key"})
        assert answer.status_code == 200, wrong[:60]
    assert not Authenticator.objects.filter(user=ann).exists()


def test_the_name_of_a_key_has_a_length(ann: User) -> None:
    browser = Client()
    browser.post("/account/login/", {"login": ann.username, "password": PASSWORD})
    browser.post("/account/reauthenticate/", {"password": PASSWORD})
    page = browser.post(ADD, {"credential": "{}", "name": "x" * 61})
    assert "at most 60 characters" in page.content.decode()
