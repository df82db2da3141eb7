"""Enumeration: a visitor cannot learn which addresses have an account.

The same steps are taken with a known address and an unknown one; every response must be the same,
byte for byte. The addresses have the same length and are removed from the responses.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, sign_in, sign_up, visible_response

Step = Callable[[Client, str], Any]

KNOWN, UNKNOWN = "ann@example.org", "bob@example.org"


def responses(steps: list[Step], email: str) -> list[Any]:
    """The responses that a visitor gets in each step, without the address itself."""
    client = Client()
    answers = []
    for step in steps:
        answer = step(client, email)
        status, headers, cookies, body = visible_response(answer)
        answers.append((status, headers, cookies, body.replace(email.encode(), b"whose?")))
        if answer.status_code == 302:
            answers.append(seen_at(client, answer.url, email))
    return answers


def seen_at(
    client: Client, url: str, email: str
) -> tuple[int, list[tuple[str, str]], list[str], bytes]:
    status, headers, cookies, body = visible_response(client.get(url))
    return status, headers, cookies, body.replace(email.encode(), b"whose?")


WRONG = {"code": "XXXX-XXXX"}


def post(url: str, **form: str) -> Step:
    return lambda client, email: client.post(url, {k: v.format(email) for k, v in form.items()})


def later(step: Step) -> Step:
    def take(client: Client, email: str) -> Any:
        with time_machine.travel(time.time() + 15, tick=True):
            return step(client, email)

    return take


WAYS = {
    "sign-up": [
        lambda client, email: sign_up(client, "Murat", email),
        post("/account/confirm-email/", **WRONG),
        later(post("/account/confirm-email/", action="resend")),
        post("/account/confirm-email/", **WRONG),
        post("/account/confirm-email/", **WRONG),
        post("/account/confirm-email/", **WRONG),
    ],
    "sign-up, once more": [
        lambda client, email: sign_up(client, "Murat", email),
        later(lambda client, email: sign_up(client, "Murat", email)),
        later(lambda client, email: sign_up(client, "MURAT", "third@example.org")),
    ],
    "sign-up, then signing in with the new handle": [
        lambda client, email: sign_up(client, "Murat", email),
        lambda client, email: client.post("/account/logout/"),
        later(lambda client, email: sign_in(client, "Murat", PASSWORD)),
        lambda client, email: client.get("/people/profile/Murat/"),
    ],
    "sign-up, then correcting the address": [
        lambda client, email: sign_up(client, "Murat", "typo@example.org"),
        post("/account/confirm-email/", action="change", email="{}"),
        later(post("/account/confirm-email/", action="resend")),
    ],
    "reset": [
        post("/account/password/reset/", email="{}"),
        post("/account/password/reset/confirm/", **WRONG),
        post("/account/password/reset/confirm/", **WRONG),
        post("/account/password/reset/confirm/", **WRONG),
        post("/account/password/reset/complete/", password1=PASSWORD, password2=PASSWORD),
    ],
    "code to sign in": [
        post("/account/login/code/", email="{}"),
        post("/account/login/code/confirm/", **WRONG),
        post("/account/login/code/confirm/", action="resend"),
        post("/account/login/code/confirm/", **WRONG),
        post("/account/login/code/confirm/", **WRONG),
    ],
    "password": [
        lambda client, email: sign_in(client, email, "troop of wolves"),
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_every_response_is_the_same_byte_for_byte(ann: User, way: str) -> None:
    outcomes = []
    for email in (KNOWN, UNKNOWN):
        with undone():
            outcomes.append(responses(WAYS[way], email))
    assert outcomes[0] == outcomes[1]


@contextmanager
def undone() -> Iterator[None]:
    """Each way starts from the same state; the limits in the database are reset too."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_only_the_email_reveals_a_known_address(ann: User) -> None:
    sign_up(Client(), "Murat", KNOWN)
    [message] = mail.outbox
    assert message.to == [KNOWN]
    assert message.subject == "[Estafette] You already have an account"
    assert "Hello Annabel," in message.body


def test_a_signed_in_user_cannot_detect_a_known_address(client: Client, ann: User) -> None:
    bob = User.objects.create_confirmed("Bob", "bobby@example.org", PASSWORD)
    answers = []
    for email in (KNOWN, UNKNOWN):
        with undone():
            sign_in(client, "Bob")
            form = {"password": PASSWORD, "next": "/account/email/"}
            client.post("/account/reauthenticate/", form)
            steps = [
                client.post("/account/email/", {"action_add": "", "email": email}),
                client.get("/account/confirm-email/"),
                client.get("/account/email/"),
            ]
            answers.append(
                [visible_response(step)[3].replace(email.encode(), b"whose?") for step in steps]
            )
            client.logout()
    assert answers[0] == answers[1]
    bob.refresh_from_db()
    assert bob.email == "bobby@example.org"


def test_a_wrong_name_costs_as_many_hashes_as_a_wrong_password(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[int] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, *given: Any) -> str:
        hashed.append(1)
        return encode(self, *given)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    counts = []
    for login in ("Annabel", "Nobodyel", KNOWN, UNKNOWN):
        hashed.clear()
        sign_in(Client(), login, "troop of wolves")
        counts.append(len(hashed))
    assert counts == [1, 1, 1, 1]
