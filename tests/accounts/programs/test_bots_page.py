"""The page of bots: added, shown, closed."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.people import bots
from tests.accounts.conftest import PASSWORD, sign_in

pytestmark = pytest.mark.postgresql_soak

PAGE = "/people/bots/"


@pytest.fixture
def her(ann: User, visitor: Client) -> Client:
    sign_in(visitor, "Annabel")
    visitor.post("/account/reauthenticate/", {"password": PASSWORD})
    return visitor


def test_a_bot_is_added_and_listed(
    her: Client, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    answer = her.post(PAGE, {"name": "Anna"}, follow=True)
    page = answer.content.decode()
    assert "Bot-Anna is added" in page and "/people/profile/Bot-Anna/" in page
    bot = User.objects.get(username="Bot-Anna")
    assert bot.owner == ann
    assert f"made bot {bot.pk}: user {ann.pk}" in caplog.text


@pytest.mark.parametrize("name", ["", "-", "x" * 17, "Taken"])
def test_a_wrong_name_is_said(her: Client, ann: User, name: str) -> None:
    bots.create(ann, "Taken")
    answer = her.post(PAGE, {"name": name})
    assert answer.status_code == 422
    assert 'class="errorlist"' in answer.content.decode()
    assert ann.bots.count() == 1


def test_with_three_bots_there_is_no_form(her: Client, ann: User) -> None:
    for name in ("One", "Two", "Three"):
        bots.create(ann, name)
    assert "You have 3 bots, which is the limit" in her.get(PAGE).content.decode()
    assert her.post(PAGE, {"name": "Four"}).status_code == 422
    assert ann.bots.count() == 3


def test_a_bot_is_closed_by_its_owner_who_has_ticked_the_box(
    her: Client, ann: User, boss: User
) -> None:
    own, foreign = bots.create(ann, "Anna"), bots.create(boss, "Boss")
    assert her.post(PAGE, {"bot": str(own.pk)}).status_code == 422
    assert her.post(PAGE, {"bot": "x", "sure": "on"}).status_code == 422
    assert her.post(PAGE, {"bot": str(foreign.pk), "sure": "on"}).status_code == 404
    assert [ann.bots.count(), boss.bots.count()] == [1, 1]
    page = her.post(PAGE, {"bot": str(own.pk), "sure": "on"}, follow=True).content.decode()
    assert "Bot-Anna is closed." in page
    own.refresh_from_db()
    assert own.kind == "former"


def test_the_page_needs_a_fresh_sign_in(ann: User) -> None:
    client = Client()
    client.force_login(ann)
    assert client.get(PAGE)["Location"].startswith("/account/reauthenticate/")
