"""The admin checks how the session signed in, not whether the account has a second factor."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import PASSWORD, is_in, sign_in
from tests.accounts.sign_in.test_second_factor import app_code, enrol, next_step

PEOPLE = "/admin/accounts/user/"


@pytest.fixture(autouse=True)
def _factor_needed(settings: Settings) -> None:
    settings.STAFF_NEEDS_MFA = True


@pytest.fixture
def enrolled(boss: User, django_capture_on_commit_callbacks: Any) -> tuple[Client, str, Client]:
    """A browser that has just enrolled an app, the app's secret, and a browser from before."""
    before, own = Client(), Client()
    for client in (before, own):
        sign_in(client, "Berthier")
    with django_capture_on_commit_callbacks(execute=True):
        secret = enrol(own)
    return own, secret, before


@pytest.mark.django_db(transaction=True)  # What follows a commit is done within the request.
def test_the_session_that_enrolled_a_factor_enters(enrolled: tuple[Client, str, Client]) -> None:
    own, _secret, _before = enrolled
    assert own.get(PEOPLE).status_code == 200


def test_a_session_from_before_the_enrolment_has_ended(
    enrolled: tuple[Client, str, Client],
) -> None:
    _here, _secret, before = enrolled
    assert not is_in(before)
    assert before.get(PEOPLE).status_code == 302


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        ("totp", "/account/2fa/reauthenticate/"),
        ("webauthn", "/account/2fa/webauthn/reauthenticate/"),
    ],
)
def test_a_session_that_only_used_a_password_does_not_open_the_admin(
    client: Client, boss: User, kind: str, page: str
) -> None:
    """As if the enrolment had not ended this session, for example in a race."""
    sign_in(client, "Berthier")
    Authenticator.objects.create(user=boss, type=kind, data={})
    answer = client.get(PEOPLE)
    assert answer["Location"] == f"/admin/login/?next={PEOPLE}"
    assert client.get(answer["Location"])["Location"] == f"{page}?next={PEOPLE}"


def test_a_session_opens_the_admin_once_it_has_used_the_factor(
    enrolled: tuple[Client, str, Client], boss: User
) -> None:
    _here, secret, _before = enrolled
    guest = Client()
    guest.force_login(boss)  # by a password alone, whichever way
    assert guest.get(PEOPLE).status_code == 302
    with next_step():
        sent = {"code": app_code(secret)}
        answer = guest.post(f"/account/2fa/reauthenticate/?next={PEOPLE}", sent)
        assert answer["Location"] == PEOPLE
        assert guest.get(PEOPLE).status_code == 200


def test_a_log_in_with_the_factor_opens_the_admin(enrolled: tuple[Client, str, Client]) -> None:
    _here, secret, _before = enrolled
    guest = Client()
    with next_step():
        sign_in(guest, "Berthier")
        guest.post("/account/2fa/authenticate/", {"code": app_code(secret)})
        assert guest.get(PEOPLE).status_code == 200


def test_a_factor_that_was_removed_no_longer_counts(
    enrolled: tuple[Client, str, Client], boss: User
) -> None:
    own, _secret, _before = enrolled
    Authenticator.objects.filter(user=boss).delete()
    Authenticator.objects.create(user=boss, type="totp", data={})
    assert own.get(PEOPLE).status_code == 302


def test_recovery_codes_alone_are_no_enrolment(client: Client, boss: User) -> None:
    sign_in(client, "Berthier")
    Authenticator.objects.create(user=boss, type="recovery_codes", data={})
    assert client.get(PEOPLE).status_code == 302


def test_a_recovery_code_replaces_the_factor(enrolled: tuple[Client, str, Client]) -> None:
    own, _secret, _before = enrolled
    codes = own.get("/account/2fa/recovery-codes/").content.decode()
    guest = Client()
    sign_in(guest, "Berthier")
    guest.post("/account/2fa/authenticate/", {"code": re.search(r"\b\d{8}\b", codes)[0]})
    assert guest.get(PEOPLE).status_code == 200


def test_another_persons_records_do_not_count(
    enrolled: tuple[Client, str, Client], ann: User
) -> None:
    """Authentication records in a session belong to its user, and not to the next one."""
    own, _secret, _before = enrolled
    own.post("/account/logout/")
    ann.is_staff = ann.is_superuser = True
    ann.save()
    sign_in(own, "Annabel", PASSWORD)
    assert own.get(PEOPLE).status_code == 302


def test_an_enrolment_ends_only_the_sessions_of_its_user(
    client: Client, ann: User, boss: User, django_capture_on_commit_callbacks: Any
) -> None:
    sign_in(client, "Annabel")
    other = Client()
    sign_in(other, "Berthier")
    with django_capture_on_commit_callbacks(execute=True):
        enrol(other)
    assert is_in(client)
