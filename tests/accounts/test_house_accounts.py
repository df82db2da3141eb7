"""Accounts of house opponents: nobody can sign in to one or have such a name."""

from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import User
from accounts.people.erasure import erase
from accounts.values import usernames
from tests.accounts.conftest import is_in, sign_in


@pytest.fixture
def house(db: None) -> User:
    user: User = User.objects.create_user("House-Marshal", house_level="marshal")
    return user


@pytest.mark.parametrize("handle", ["House-Marshal", "h0use_marsha1", "HOUSE", "Housemaster"])
def test_nobody_can_sign_up_as_the_house(handle: str) -> None:
    with pytest.raises(ValidationError, match="is reserved"):
        usernames.validate_unreserved(handle)


def test_only_the_house_has_such_names(db: None) -> None:
    for name, level in (("House-Guest", ""), ("Marshal", "marshal")):
        with pytest.raises(IntegrityError, match="user_house_by_name"), transaction.atomic():
            User.objects.create_user(name, house_level=level)


@pytest.mark.parametrize(
    "facts", [{"email": "house@example.org"}, {"is_staff": True}, {"is_superuser": True}]
)
def test_the_house_has_neither_address_nor_powers(db: None, facts: Any) -> None:
    with pytest.raises(IntegrityError, match="user_house_powerless"), transaction.atomic():
        User.objects.create_user("House-Marshal", house_level="marshal", **facts)


@pytest.mark.parametrize("password", ["", "!", "troop of wolves"])
def test_nobody_signs_in_to_the_house_by_a_password(
    visitor: Client, house: User, password: str
) -> None:
    sign_in(visitor, "House-Marshal", password)
    assert not is_in(visitor)


def test_no_code_is_sent_to_the_house(visitor: Client, house: User) -> None:
    for page in ("/account/login/code/", "/account/password/reset/"):
        for name in ("House-Marshal", ""):
            visitor.post(page, {"email": name})
    assert not mail.outbox


def test_an_erased_account_is_no_longer_a_house_opponent(house: User) -> None:
    erase(house)
    house.refresh_from_db()
    assert not house.is_house and not house.house_level
