"""Helpers of the account tests: sign up, sign in, read a code from an e-mail."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts import ports
from accounts.models import User
from games.notifications.email.account_emails import keep_and_send
from games.outbox.delivery import dispatcher
from tests.ports import connected

PASSWORD = "troop of foxes"

_STAMP = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+')


@pytest.fixture(autouse=True)
def worker(db: None) -> Iterator[None]:
    """Delivers each account e-mail as soon as it is written."""

    def deliver(message: EmailMessage, *, lasting: bool) -> None:
        keep_and_send(message, lasting=lasting)
        dispatcher.drain()

    with connected(ports.send_email, deliver):
        yield


@pytest.fixture
def ann(db: None) -> User:
    """A user with a password and a confirmed address."""
    return User.objects.create_confirmed("Annabel", "ann@example.org", PASSWORD)


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser("Berthier", "boss@example.org", PASSWORD)


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()


def sign_up(
    client: Client, handle: str, email: str, password: str = PASSWORD, **extra: object
) -> Any:
    form = {"username": handle, "email": email, "password1": password, **extra}
    return client.post("/account/signup/", form)


def sign_in(client: Client, login: str, password: str = PASSWORD, follow: bool = False) -> Any:
    form = {"login": login, "password": password}
    return client.post("/account/login/", form, follow=follow)


def code_in(message: EmailMessage | None = None) -> str:
    """The code in this e-mail, the last one sent if none is given."""
    body = str((message or mail.outbox[-1]).body)
    match = re.search(r"^    ([A-Z]{4}-[A-Z]{4})$", body, re.MULTILINE)
    assert match, body
    return match[1]


def is_in(client: Client) -> bool:
    """Whether somebody is signed in."""
    return "_auth_user_id" in client.session


def visible_response(response: Any) -> tuple[int, list[tuple[str, str]], list[str], bytes]:
    """Everything that a visitor sees of a response, without its random parts."""
    drawn = ("Expires", "X-Request-ID")
    headers = sorted((k, v) for k, v in response.headers.items() if k not in drawn)
    cookies = sorted(response.cookies)
    return response.status_code, headers, cookies, _STAMP.sub(rb"\1", response.content)
