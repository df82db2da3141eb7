"""Accounts of house opponents: nobody can sign in to one or have such a name."""

from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.people.erasure import erase
from accounts.values import usernames
from tests import tiers
from tests.accounts.conftest import is_in, sign_in, sign_up


@pytest.fixture
def house(db: None) -> User:
    user: User = User.objects.create_user("House-Marshal", house_level="marshal")
    return user


@pytest.mark.parametrize("handle", ["House-Marshal", "h0use_marsha1", "HOUSE", "Housemaster"])
def test_a_house_name_cannot_be_signed_up(handle: str) -> None:
    with pytest.raises(ValidationError, match="is reserved"):
        usernames.validate_unreserved(handle)


def test_only_the_house_has_such_names(db: None) -> None:
    for name, level in (("House-Guest", ""), ("Marshal", "marshal")):
        with pytest.raises(IntegrityError, match="user_house_by_name"), transaction.atomic():
            User.objects.create_user(name, house_level=level)


@pytest.mark.parametrize(
    "fields", [{"email": "house@example.org"}, {"is_staff": True}, {"is_superuser": True}]
)
def test_the_house_has_neither_address_nor_powers(db: None, fields: Any) -> None:
    with pytest.raises(IntegrityError, match="user_house_powerless"), transaction.atomic():
        User.objects.create_user("House-Marshal", house_level="marshal", **fields)


@pytest.mark.parametrize("password", ["", "!", "troop of wolves"])
def test_house_accounts_cannot_sign_in_by_password(
    visitor: Client, house: User, password: str
) -> None:
    sign_in(visitor, "House-Marshal", password)
    assert not is_in(visitor)


def test_no_code_is_sent_to_the_house(visitor: Client, house: User) -> None:
    for page in ("/account/login/code/", "/account/password/reset/"):
        for name in ("House-Marshal", ""):
            visitor.post(page, {"email": name})
    assert not mail.outbox


def test_the_account_of_a_house_opponent_cannot_be_erased(house: User) -> None:
    with pytest.raises(ValueError, match="cannot be erased"):
        erase(house)
    house.refresh_from_db()
    assert house.is_house and house.house_level == "marshal"


@pytest.mark.postgresql
@pytest.mark.parametrize("fields", [{"is_active": False}, {"pending": True}])
def test_the_database_itself_keeps_house_opponents_active(house: User, fields: Any) -> None:
    with pytest.raises(IntegrityError, match="user_house_active"), transaction.atomic():
        User.objects.filter(pk=house.pk).update(**fields)


LOOK_ALIKES = ["hou5e-marshal", "Hous3-Marshal", "H0U53", "Hoouse-Marshal", "Hovse-X", "HOUSSE_1"]


@pytest.mark.parametrize("handle", tiers.parameters(LOOK_ALIKES, fast=LOOK_ALIKES[:2]))
def test_names_that_look_like_the_house_are_refused_everywhere(
    visitor: Client, boss: User, settings: Settings, handle: str
) -> None:
    assert "This username is reserved" in sign_up(visitor, handle, "x@example.org").content.decode()
    settings.STAFF_NEEDS_MFA = False
    visitor.force_login(boss)
    fields = {"username": handle, "email": "x@example.org", "usable_password": "false"}
    page = visitor.post("/admin/accounts/user/add/", fields).content.decode()
    assert "This username is reserved" in page
    with pytest.raises(CommandError, match="reserved"):
        call_command("createsuperuser", "--noinput", username=handle, email="x@example.org")
    assert not User.objects.exclude(pk=boss.pk).exists()


@pytest.mark.parametrize("handle", ["Horace", "Houston", "Hovsep", "Hugo-5", "Bott", "Clarence"])
def test_other_names_are_allowed(handle: str) -> None:
    for validate in usernames.VALIDATORS:
        validate(handle)
