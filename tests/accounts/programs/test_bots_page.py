"""The page of bots: added, shown, closed."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.people import bots
from tests.accounts.conftest import PASSWORD, sign_in

pytestmark = pytest.mark.postgresql_soak

PAGE = "/people/bots/"


@pytest.fixture
def ann_browser(ann: User, visitor: Client) -> Client:
    sign_in(visitor, "Annabel")
    visitor.post("/account/reauthenticate/", {"password": PASSWORD})
    return visitor


def test_a_bot_is_added_and_listed(
    ann_browser: Client, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    answer = ann_browser.post(PAGE, {"name": "Anna"}, follow=True)
    page = answer.content.decode()
    assert "Bot-Anna is added" in page and "/people/profile/Bot-Anna/" in page
    bot = User.objects.get(username="Bot-Anna")
    assert bot.owner == ann
    assert f"made bot {bot.pk}: user {ann.pk}" in caplog.text


@pytest.mark.parametrize("name", ["", "-", "x" * 17, "Taken"])
def test_a_wrong_name_is_refused_with_a_sentence(ann_browser: Client, ann: User, name: str) -> None:
    bots.create(ann, "Taken")
    answer = ann_browser.post(PAGE, {"name": name})
    assert answer.status_code == 422
    assert 'class="errorlist"' in answer.content.decode()
    assert ann.bots.count() == 1


def test_with_three_bots_there_is_no_form(ann_browser: Client, ann: User) -> None:
    for name in ("One", "Two", "Three"):
        bots.create(ann, name)
    assert "You have 3 bots, which is the limit" in ann_browser.get(PAGE).content.decode()
    assert ann_browser.post(PAGE, {"name": "Four"}).status_code == 422
    assert ann.bots.count() == 3


def test_the_owner_closes_a_bot_after_ticking_the_box(
    ann_browser: Client, ann: User, boss: User
) -> None:
    own, foreign = bots.create(ann, "Anna"), bots.create(boss, "Boss")
    assert ann_browser.post(PAGE, {"bot": str(own.pk)}).status_code == 422
    assert ann_browser.post(PAGE, {"bot": "x", "sure": "on"}).status_code == 422
    assert ann_browser.post(PAGE, {"bot": str(foreign.pk), "sure": "on"}).status_code == 404
    assert [ann.bots.count(), boss.bots.count()] == [1, 1]
    page = ann_browser.post(PAGE, {"bot": str(own.pk), "sure": "on"}, follow=True).content.decode()
    assert "Bot-Anna is closed." in page
    own.refresh_from_db()
    assert own.kind == "former"


def test_the_page_needs_a_recent_sign_in(ann: User) -> None:
    client = Client()
    client.force_login(ann)
    assert client.get(PAGE)["Location"].startswith("/account/reauthenticate/")
