"""Revoking: whatever returns an account to its owner revokes all tokens of it and its bots."""

import logging
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import AccessToken, User
from accounts.people.erasure import erase
from accounts.tokens import making, revoking
from accounts.user_sessions import listing
from tests.accounts.conftest import PASSWORD, code_in, sign_in
from tests.accounts.sign_in.test_reset import NEW, reset
from tests.accounts.test_address import ask

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def bot(ann: User) -> User:
    user = User(username="Bot-Anna", owner=ann, email="")
    user.set_unusable_password()
    user.save()
    return user


@pytest.fixture
def tokens(ann: User, bot: User, boss: User) -> None:
    making.create(ann, "cron")
    making.create(bot, "cron")
    making.create(boss, "of somebody else")


def remaining_owners() -> list[str]:
    return list(AccessToken.objects.values_list("user__username", flat=True).order_by("pk"))


def test_all_tokens_of_an_account_and_its_bots_are_revoked(
    tokens: None, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "accounts.security")
    assert revoking.revoke_all(ann) == 2
    assert remaining_owners() == ["Berthier"]
    assert f"revoked all 2 tokens of user {ann.pk}" in caplog.text


def test_a_new_password_revokes_all(tokens: None, ann: User, visitor: Client) -> None:
    sign_in(visitor, "Annabel")
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert visitor.post("/account/password/change/", form).status_code == 302
    assert remaining_owners() == ["Berthier"]


def test_a_reset_password_revokes_all(tokens: None, visitor: Client) -> None:
    reset(visitor, "ann@example.org")
    assert remaining_owners() == ["Berthier"]


def test_a_changed_address_revokes_all_once_it_is_confirmed(tokens: None, visitor: Client) -> None:
    sign_in(visitor, "Annabel")
    ask(visitor, "new@example.org")
    assert len(remaining_owners()) == 3
    visitor.post("/account/confirm-email/", {"code": code_in()})
    assert remaining_owners() == ["Berthier"]


def test_a_first_password_revokes_all(tokens: None, ann: User, visitor: Client) -> None:
    ann.set_unusable_password()
    ann.save()
    visitor.force_login(ann)
    visitor.post("/account/password/set/", {"password1": NEW, "password2": NEW})
    ann.refresh_from_db()
    assert ann.has_usable_password()
    assert remaining_owners() == ["Berthier"]


def test_a_password_changed_by_an_operator_revokes_all(
    tokens: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: NEW)
    call_command("changepassword", "Annabel", stdout=StringIO())
    assert remaining_owners() == ["Berthier"]


@pytest.mark.parametrize("act", [listing.end_all, erase])
def test_sign_out_everywhere_blocking_and_erasure_revoke_all(
    tokens: None, ann: User, act: Callable[[User], object]
) -> None:
    act(ann)
    assert remaining_owners() == ["Berthier"]


def test_signing_out_the_others_revokes_all(tokens: None, ann: User, visitor: Client) -> None:
    sign_in(visitor, "Annabel")
    visitor.post("/people/sessions/")
    assert remaining_owners() == ["Berthier"]
