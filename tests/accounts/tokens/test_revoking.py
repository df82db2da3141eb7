"""Revoking: whatever returns an account to its owner revokes all tokens of it and its bots."""

import logging
from collections.abc import Callable

import pytest
from allauth.account import signals
from django.test import Client, RequestFactory

from accounts.models import AccessToken, User
from accounts.people.erasure import erase
from accounts.tokens import making, revoking
from accounts.user_sessions import listing
from tests.accounts.conftest import PASSWORD, sign_in

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


def left() -> list[str]:
    return list(AccessToken.objects.values_list("user__username", flat=True).order_by("pk"))


def test_all_of_an_account_and_its_bots_are_revoked(
    tokens: None, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "accounts.security")
    assert revoking.revoke_all(ann) == 2
    assert left() == ["Berthier"]
    assert f"revoked all 2 tokens of user {ann.pk}" in caplog.text


def test_a_new_password_revokes_all(tokens: None, ann: User, visitor: Client) -> None:
    sign_in(visitor, "Annabel")
    new = "the fox and the troop"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert visitor.post("/account/password/change/", form).status_code == 302
    assert left() == ["Berthier"]


@pytest.mark.parametrize(
    "signal",
    ["password_changed", "password_set", "password_reset", "email_changed"],
)
def test_signals_of_a_changed_account_revoke_all(
    tokens: None, ann: User, visitor: Client, signal: str
) -> None:
    request = RequestFactory().get("/")
    request.user, request.session = ann, visitor.session
    named = {"from_email_address": None, "to_email_address": None}
    sent = getattr(signals, signal).send(
        sender=User, request=request, user=ann, **(named if "email" in signal else {})
    )
    assert sent
    assert left() == ["Berthier"]


@pytest.mark.parametrize("act", [listing.end_all, erase])
def test_sign_out_everywhere_blocking_and_erasure_revoke_all(
    tokens: None, ann: User, act: Callable[[User], object]
) -> None:
    act(ann)
    assert left() == ["Berthier"]


def test_signing_out_the_others_revokes_all(tokens: None, ann: User, visitor: Client) -> None:
    sign_in(visitor, "Annabel")
    visitor.post("/people/sessions/")
    assert left() == ["Berthier"]
