"""Second factors: enrolment, log-in, guesses, loss and removal."""

import re
import time
from base64 import b64decode
from http.cookies import SimpleCookie
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in


def app_code(secret: str) -> str:
    """What an authenticator app shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def enrol(client: Client) -> str:
    """Set up an authenticator app for the signed-in user; returns its secret."""
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/").content.decode()
    secret = re.search(r'id="authenticator_secret" value="([A-Z2-7]+)"', page)[1]
    answer = client.post("/account/2fa/totp/activate/", {"code": app_code(secret)})
    assert answer.status_code == 302, answer.content
    return secret


@pytest.fixture
def secret(client: Client, ann: User, django_capture_on_commit_callbacks: Any) -> str:
    sign_in(client, "Annabel")
    with django_capture_on_commit_callbacks(execute=True):
        return enrol(client)


def next_step() -> time_machine.travel:
    """A code is valid once; the next one comes half a minute later."""
    return time_machine.travel(time.time() + 31, tick=True)


def test_an_app_is_enrolled_and_then_required(secret: str) -> None:
    assert mail.outbox[-1].subject == "[Estafette] An authenticator app was added"
    with next_step():
        guest = Client()
        assert sign_in(guest, "Annabel").url == "/account/2fa/authenticate/"
        assert not is_in(guest)
        assert guest.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
        guest.post("/account/2fa/authenticate/", {"code": app_code(secret)})
        assert is_in(guest)


def test_it_is_required_after_a_mailed_code_too(secret: str) -> None:
    guest = Client()
    guest.post("/account/login/code/", {"email": "ann@example.org"})
    answer = guest.post("/account/login/code/confirm/", {"code": code_in()})
    assert answer["Location"] == "/account/2fa/authenticate/"
    assert not is_in(guest)


def test_a_recovery_code_opens_once(secret: str, client: Client) -> None:
    page = client.get("/account/2fa/recovery-codes/").content.decode()
    code = re.search(r"\b\d{8}\b", page)[0]
    for allowed in (True, False):
        guest = Client()
        sign_in(guest, "Annabel")
        guest.post("/account/2fa/authenticate/", {"code": code})
        assert is_in(guest) is allowed


def test_a_code_of_an_app_opens_once_even_while_it_is_still_valid(secret: str) -> None:
    with time_machine.travel((time.time() // 30 + 2) * 30 + 1, tick=True) as traveller:
        code = app_code(secret)
        assert is_in(_answered(code))
        traveller.shift(32)
        assert not is_in(_answered(code))
        assert is_in(_answered(app_code(secret)))


def _answered(code: str) -> Client:
    """A browser that has given the password and this code."""
    browser = Client()
    sign_in(browser, "Annabel")
    browser.post("/account/2fa/authenticate/", {"code": code})
    return browser


def test_six_guesses_at_the_second_factor_are_too_many(secret: str) -> None:
    guest = Client()
    sign_in(guest, "Annabel")
    for n in range(5):
        guest.post("/account/2fa/authenticate/", {"code": f"00000{n}"})
    with next_step():
        answer = guest.post("/account/2fa/authenticate/", {"code": app_code(secret)})
    assert "Too many failed" in answer.content.decode()


def test_a_dump_of_the_database_contains_no_secret(secret: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        dump = str(cursor.fetchall())
    assert secret not in dump


def test_factors_survive_a_change_of_keys(secret: str, settings: Settings) -> None:
    settings.SEAL_KEYS = ["a new key", *settings.SEAL_KEYS]
    with next_step():
        assert Authenticator.objects.get(type="totp").wrap().validate_code(app_code(secret))


def test_sensitive_changes_ask_for_the_password_again(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    with time_machine.travel(time.time() + 3600, tick=True):
        for url in (
            "/account/2fa/totp/activate/",
            "/account/2fa/webauthn/add/",
            "/people/leave/",
        ):
            assert client.get(url)["Location"].startswith("/account/reauthenticate/?next="), url
        answer = client.post("/account/email/", {"action_add": "", "email": "new@example.org"})
        assert answer["Location"].startswith("/account/reauthenticate/?next=")


def test_confirming_who_one_is_changes_the_session_key(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    old = Client()
    old.cookies = SimpleCookie({"sessionid": client.session.session_key})
    client.post("/account/reauthenticate/", {"password": "wrong"})
    assert is_in(client)
    assert is_in(old)
    with time_machine.travel(time.time() + 3600, tick=True):
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        assert is_in(client)
        assert client.get("/people/leave/").status_code == 200
        assert not is_in(old)


def test_an_address_can_be_changed_with_a_second_factor_on(secret: str, client: Client) -> None:
    with next_step():
        client.post("/account/2fa/reauthenticate/", {"code": app_code(secret)})
        client.post("/account/email/", {"action_add": "", "email": "new@example.org"})
        assert mail.outbox[-1].to == ["new@example.org"]


def test_the_qr_code_has_a_white_background(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/").content.decode()
    picture = b64decode(re.search(r"data:image/svg\+xml;base64,([^\"]+)", page)[1]).decode()
    assert 'fill="white"' in picture
