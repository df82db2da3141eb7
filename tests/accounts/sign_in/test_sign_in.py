"""Signing in, by password or by a mailed code."""

import time

import pytest
import time_machine
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.management.commands import demo
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in


@pytest.mark.parametrize("login", ["Annabel", "annabel", "ann@example.org", "ANN@example.org "])
def test_sign_in_by_password_with_handle_or_address(visitor: Client, ann: User, login: str) -> None:
    assert sign_in(visitor, login).url == "/"
    assert is_in(visitor)


def test_a_wrong_password_is_refused(visitor: Client, ann: User) -> None:
    answer = sign_in(visitor, "Annabel", "troop of wolves")
    assert "not correct" in answer.content.decode()
    assert not is_in(visitor)


def test_a_look_alike_does_not_find_the_user(visitor: Client, ann: User) -> None:
    sign_in(visitor, "Annabe1")
    assert not is_in(visitor)


def test_sign_in_by_a_code_from_an_email(visitor: Client, ann: User) -> None:
    answer = visitor.post("/account/login/code/", {"email": "Ann@example.org"})
    assert answer["Location"] == "/account/login/code/confirm/"
    [message] = mail.outbox
    assert message.to == ["ann@example.org"]
    assert code_in() not in message.subject
    visitor.post("/account/login/code/confirm/", {"code": code_in().lower().replace("-", " ")})
    assert is_in(visitor)


def test_a_code_works_once_and_not_for_long(visitor: Client, ann: User) -> None:
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    with time_machine.travel(time.time() + 601, tick=True):
        visitor.post("/account/login/code/confirm/", {"code": code_in()})
    assert not is_in(visitor)


def test_blocked_users_cannot_sign_in(visitor: Client, ann: User) -> None:
    ann.is_active = False
    ann.save()
    assert sign_in(visitor, "Annabel").url == "/account/inactive/"
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    assert "no account" in mail.outbox[-1].body
    assert not is_in(visitor)


def test_an_open_session_ends_when_its_owner_is_blocked(client: Client, ann: User) -> None:
    client.force_login(ann)
    ann.is_active = False
    ann.save()
    assert client.get("/people/preferences/").status_code == 302


def test_signing_in_continues_to_the_requested_page_but_not_to_other_sites(
    visitor: Client, ann: User
) -> None:
    form = {"login": "Annabel", "password": PASSWORD}
    abroad = {**form, "next": "https://evil.example/"}
    assert visitor.post("/account/login/", abroad)["Location"] == "/"
    visitor.post("/account/logout/")
    home = {**form, "next": "/people/preferences/"}
    assert visitor.post("/account/login/", home)["Location"] == "/people/preferences/"


def test_signing_in_changes_the_session_key(visitor: Client, ann: User) -> None:
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    before = visitor.session.session_key
    visitor.post("/account/login/code/confirm/", {"code": code_in()})
    assert visitor.session.session_key != before


def test_signing_out_needs_a_post_and_clears_the_browser(client: Client, ann: User) -> None:
    client.force_login(ann)
    client.get("/account/logout/")
    assert is_in(client)
    answer = client.post("/account/logout/")
    assert not is_in(client)
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'


def test_a_passkey_needs_no_username(visitor: Client, ann: User) -> None:
    answer = visitor.get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})
    options = answer.json()["request_options"]["publicKey"]
    assert options["userVerification"] == "required"
    assert options.get("allowCredentials", []) == []


def test_only_the_demo_shows_its_passwords(client: Client, db: None, settings: Settings) -> None:
    for settings.DEMO in (True, False):
        page = client.get("/account/login/").content.decode()
        for word in (*demo.PLAYERS, demo.STAFF, demo.PASSWORD):
            assert (word in page) is settings.DEMO
