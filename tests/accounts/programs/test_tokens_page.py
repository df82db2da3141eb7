"""The page of tokens: made and shown once, listed, revoked."""

import re

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import AccessToken, User
from accounts.people import bots
from accounts.sign_in.security_log import logger
from accounts.tokens import finding, making
from games.idempotency.replay import new_key
from tests import tiers
from tests.accounts.conftest import PASSWORD, sign_in
from tests.secrecy.dump import dump

pytestmark = pytest.mark.postgresql_soak

PAGE = "/people/tokens/"
FORM = {"name": "cron", "days": "365", "scopes": ["play"]}


@pytest.fixture
def ann_browser(ann: User, visitor: Client) -> Client:
    sign_in(visitor, "Annabel")
    visitor.post("/account/reauthenticate/", {"password": PASSWORD})
    mail.outbox.clear()
    return visitor


def shown_token(page: str) -> str:
    """The text of the token on a page."""
    matches: list[str] = re.findall(r'value="(estafette_[0-9A-Za-z]{38})"', page)
    (text,) = matches
    return text


def test_a_token_is_made_shown_once_and_reported_by_e_mail(
    ann_browser: Client, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    key = new_key(ann)
    answer = ann_browser.post(PAGE, FORM | {"idempotency_key": key})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    text = shown_token(answer.content.decode())
    token = finding.find(text)
    assert token is not None
    assert (token.user, token.scopes) == (ann, "read play")
    assert round((token.expires_at - token.created_at).total_seconds() / 86400) == 365
    assert text not in ann_browser.get(PAGE).content.decode()
    again = ann_browser.post(PAGE, FORM | {"idempotency_key": key})
    assert again.status_code == 422 and text not in again.content.decode()
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    assert 'A token called "cron" was made for your account' in message.body
    assert text not in message.body
    assert f"made token {token.pk}: user {ann.pk}" in caplog.text
    assert logger.name in {record.name for record in caplog.records}
    assert text not in caplog.text
    assert text.encode() not in b"".join(row for _table, row in dump())


def test_the_page_needs_a_recent_sign_in(ann: User) -> None:
    client = Client()
    assert client.get(PAGE)["Location"].startswith("/account/login/")
    client.force_login(ann)
    for answer in (client.get(PAGE), client.post(PAGE, FORM)):
        assert answer["Location"].startswith("/account/reauthenticate/")
    assert not AccessToken.objects.exists()


def test_a_token_is_made_for_a_bot(ann_browser: Client, ann: User) -> None:
    bot = bots.create(ann, "Anna")
    assert "Bot-Anna" in ann_browser.get(PAGE).content.decode()
    text = shown_token(ann_browser.post(PAGE, FORM | {"account": str(bot.pk)}).content.decode())
    token = finding.find(text)
    assert token is not None and token.user == bot
    assert "your bot Bot-Anna" in mail.outbox[0].body
    assert mail.outbox[0].to == ["ann@example.org"]


WRONG = [
    {"name": ""},
    {"name": "x" * 61},
    {"name": "a\x1bb"},
    {"scopes": ["admin"]},
    {"days": "1"},
    {"days": "731"},
    {"account": "999"},
    {"name": "taken"},
]


@pytest.mark.parametrize(
    "wrong",
    tiers.parameters(
        WRONG, fast=[{"name": ""}, {"scopes": ["admin"]}, {"days": "731"}, {"account": "999"}]
    ),
)
def test_an_invalid_form_is_shown_again(
    ann_browser: Client, ann: User, wrong: dict[str, object]
) -> None:
    making.create(ann, "taken")
    bots.create(ann, "Anna")
    answer = ann_browser.post(PAGE, FORM | {"account": str(ann.pk)} | wrong)
    assert answer.status_code == 422
    assert 'class="errorlist"' in answer.content.decode()
    assert AccessToken.objects.count() == 1
    assert not mail.outbox


def test_no_token_is_made_for_another_users_bot(ann_browser: Client, boss: User) -> None:
    bot = bots.create(boss, "Boss")
    ann_browser.post(PAGE, FORM | {"account": str(bot.pk)})
    assert not AccessToken.objects.filter(user=bot).exists()


def test_own_tokens_and_those_of_bots_are_listed_and_revoked(
    ann_browser: Client, ann: User, boss: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    own = making.create(ann, "of mine").token
    of_bot = making.create(bots.create(ann, "Anna"), "of the bot").token
    foreign = making.create(boss, "foreign").token
    page = ann_browser.get(PAGE).content.decode()
    assert "of mine" in page and "of the bot" in page and "foreign" not in page
    for token in (own, of_bot, foreign):
        assert ann_browser.post(PAGE, {"revoke": str(token.pk)}).status_code == 302
    ann_browser.post(PAGE, {"revoke": "9" * 30})
    assert list(AccessToken.objects.all()) == [foreign]
    assert f"revoked token {own.pk}: user {ann.pk}" in caplog.text
    assert f"revoked token {foreign.pk}" not in caplog.text


def test_tokens_are_listed_with_the_sessions(ann_browser: Client, ann: User) -> None:
    assert "Make and revoke tokens" not in ann_browser.get("/people/sessions/").content.decode()
    making.create(ann, "cron")
    page = ann_browser.get("/people/sessions/").content.decode()
    assert "cron (Annabel)" in page
    assert "Sign out the others" in page


def test_staff_list_tokens_without_a_secret_and_revoke_them(
    ann: User, boss: User, visitor: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    token = making.create(ann, "cron").token
    visitor.force_login(boss)
    digest = bytes(token.digest)
    for address in ("/admin/accounts/accesstoken/", f"/admin/accounts/accesstoken/{token.pk}/"):
        answer = visitor.get(address, follow=True)
        page = answer.content
        assert b"cron" in page and digest.hex().encode() not in page and digest not in page
    form = {"action": "revoke", "_selected_action": str(token.pk), "apply": "1", "reason": "lost"}
    visitor.post("/admin/accounts/accesstoken/", form)
    assert not AccessToken.objects.exists()
