"""Bots: made by their owner, without powers, and ended with their owner."""

from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import User
from accounts.people import blocking, bots, closing
from accounts.people.erasure import erase
from accounts.tokens import finding, making
from accounts.values import usernames
from tests.accounts.conftest import is_in, sign_in

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def bot(ann: User) -> User:
    return bots.create(ann, "Anna")


def test_a_bot_has_an_owner_and_no_address_and_no_password(bot: User, ann: User) -> None:
    bot.refresh_from_db()
    assert (bot.username, bot.owner, bot.email, bot.kind) == ("Bot-Anna", ann, "", "bot")
    assert not bot.has_usable_password()
    assert list(ann.bots.all()) == [bot]


def test_there_are_four_kinds_of_accounts(bot: User, ann: User) -> None:
    house = User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    assert [ann.kind, bot.kind, house.kind] == ["person", "bot", "house"]
    erase(ann)
    ann.refresh_from_db()
    assert ann.kind == "former"


@pytest.mark.parametrize("handle", ["Bot-Anna", "bot_anna", "B0t-anna", "BOT-x", "b0T_x", "bot"])
def test_a_bot_name_cannot_be_signed_up(handle: str) -> None:
    with pytest.raises(ValidationError, match="is reserved"):
        usernames.validate_unreserved(handle)


@pytest.mark.parametrize("handle", ["Botvinnik", "botanist", "Robot-Anna", "Both-sides", "Bottle"])
def test_similar_names_are_available_to_people(handle: str) -> None:
    usernames.validate_unreserved(handle)


def test_prefix_and_owner_are_only_allowed_together(ann: User) -> None:
    for name, owner in (("Bot-Anna", None), ("Anna", ann)):
        with pytest.raises(IntegrityError, match="user_bot_by_name"), transaction.atomic():
            User.objects.create_user(name, owner=owner)


@pytest.mark.parametrize(
    "fields",
    [{"email": "bot@example.org"}, {"is_staff": True}, {"is_superuser": True}, {"pending": True}],
)
def test_a_bot_has_neither_address_nor_powers(bot: User, fields: Any) -> None:
    with pytest.raises(IntegrityError, match="user_bot_powerless"), transaction.atomic():
        User.objects.filter(pk=bot.pk).update(**fields)


@pytest.mark.parametrize(
    "name", ["", "A", "-x", "_x", "a" * 17, "a b", "ä" * 3, "a\n", "x/y", "x\0y"]
)
def test_a_wrong_name_is_refused(ann: User, name: str) -> None:
    with pytest.raises(bots.BotRefused, match="2 to 16 letters"):
        bots.create(ann, name)


def test_a_name_that_looks_like_another_is_refused(ann: User, bot: User) -> None:
    User.objects.create_confirmed("Botanist", "b@example.org")
    for name in ("anna", "Ann-A", "anist"):
        with pytest.raises(bots.BotRefused, match="is taken"):
            bots.create(ann, name)


def test_a_person_has_at_most_three_bots(ann: User, boss: User) -> None:
    for name in ("One", "Two", "Three"):
        bots.create(ann, name)
    with pytest.raises(bots.BotRefused, match="at most 3"):
        bots.create(ann, "Four")
    bots.create(boss, "Four")


def test_only_a_person_whose_account_stays_open_has_bots(ann: User, bot: User) -> None:
    house = User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    for other in (bot, house):
        with pytest.raises(bots.BotRefused, match="Only a person"):
            bots.create(other, "Two")
    closing.close_later(ann)
    with pytest.raises(bots.BotRefused, match=r"about to be closed|Only a person"):
        bots.create(ann, "Two")


# --- It cannot sign in


@pytest.mark.parametrize("password", ["", "!", "troop of wolves"])
def test_bot_accounts_cannot_sign_in(visitor: Client, bot: User, password: str) -> None:
    sign_in(visitor, "Bot-Anna", password)
    assert not is_in(visitor)
    # Not even with a password, which no page can give it.
    bot.set_password("troop of wolves")
    bot.save()
    sign_in(visitor, "Bot-Anna", "troop of wolves")
    assert not is_in(visitor)


def test_no_code_is_sent_to_a_bot(visitor: Client, bot: User) -> None:
    for page in ("/account/login/code/", "/account/password/reset/"):
        for name in ("Bot-Anna", ""):
            visitor.post(page, {"email": name})
    assert not mail.outbox


# --- It ends with its owner


def test_erasing_the_owner_erases_the_bots(bot: User, ann: User) -> None:
    text = making.create(bot, "cron").text
    assert finding.find(text) is not None
    erase(ann)
    bot.refresh_from_db()
    assert (bot.kind, bot.owner, bot.is_active) == ("former", None, False)
    assert finding.find(text) is None


def test_erasing_a_bot_leaves_the_owner_and_frees_its_place(bot: User, ann: User) -> None:
    erase(bot)
    ann.refresh_from_db()
    assert ann.kind == "person" and ann.is_active
    assert bots.create(ann, "Anna").kind == "bot"


def test_bots_of_an_account_that_is_closed_later_are_closed_too(bot: User, ann: User) -> None:
    assert closing.close_later(ann)
    bot.refresh_from_db()
    assert bot.kind == "former"


def test_blocking_the_owner_blocks_the_bots_until_both_are_unblocked(bot: User, ann: User) -> None:
    text = making.create(bot, "cron").text
    blocking.block(ann)
    bot.refresh_from_db()
    assert not bot.is_active
    assert finding.find(text) is None
    blocking.unblock(ann)
    bot.refresh_from_db()
    assert bot.is_active
    assert finding.find(text) is None  # revoked
