"""Helpers of the account tests: sign up, sign in, read a code from an e-mail."""

import re

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.signals import email_written
from games.outbox import dispatcher

PASSWORD = "troop of foxes"

_STAMP = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+')


@pytest.fixture(autouse=True)
def _quick_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def worker(db):
    """Delivers each account e-mail as soon as it is written."""

    def deliver(**_):
        dispatcher.drain()

    email_written.connect(deliver)
    yield deliver
    email_written.disconnect(deliver)


@pytest.fixture
def ann(db):
    """Known here, with a password and a confirmed address."""
    return User.objects.create_confirmed("Annabel", "ann@example.org", PASSWORD)


@pytest.fixture
def boss(db):
    return User.objects.create_superuser("Berthier", "boss@example.org", PASSWORD)


@pytest.fixture
def visitor(db):
    return Client()


def sign_up(client, handle, email, password=PASSWORD, **extra):
    form = {"username": handle, "email": email, "password1": password, **extra}
    return client.post("/account/signup/", form)


def sign_in(client, login, password=PASSWORD, follow=False):
    form = {"login": login, "password": password}
    return client.post("/account/login/", form, follow=follow)


def code_in(message=None):
    """The code in this e-mail, the last one sent if none is given."""
    body = (message or mail.outbox[-1]).body
    found = re.search(r"^    ([A-Z]{4}-[A-Z]{4})$", body, re.MULTILINE)
    assert found, body
    return found[1]


def is_in(client):
    """Whether somebody is signed in."""
    return "_auth_user_id" in client.session


def seen(response):
    """All that a visitor gets to see of an answer, but for what is drawn by lot each time."""
    drawn = ("Expires", "X-Request-ID")
    headers = sorted((k, v) for k, v in response.headers.items() if k not in drawn)
    cookies = sorted(response.cookies)
    return response.status_code, headers, cookies, _STAMP.sub(rb"\1", response.content)
