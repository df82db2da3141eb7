"""Making tokens: what is stored, and what is refused."""

from datetime import timedelta

import pytest

from accounts.models import AccessToken, User
from accounts.tokens import making
from lib.db_clock import frozen_at, now
from tests.secrecy.dump import dump

pytestmark = pytest.mark.postgresql_soak


def test_a_token_may_read_for_a_year_by_default(ann: User) -> None:
    token = making.create(ann, "  cron  job ").token
    token.refresh_from_db()
    assert (token.name, token.scopes) == ("cron job", "read")
    assert token.expires_at - token.created_at == timedelta(days=365)
    assert token.warn_at == token.expires_at - timedelta(days=7)


def test_scopes_are_stored_in_one_order(ann: User) -> None:
    token = making.create(ann, "cron", ["challenge", "play"]).token
    assert token.scopes == "read play challenge"
    with pytest.raises(ValueError, match="admin"):
        making.create(ann, "other", ["admin"])


def test_the_text_is_not_stored_and_not_printed(ann: User) -> None:
    made = making.create(ann, "cron")
    stored = b"".join(row for _table, row in dump())
    assert b"cron" in stored
    assert made.text.encode() not in stored
    assert made.text not in f"{made!r} {made.token!r} {made.token}"


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\0b", "a\x1bb"])
def test_a_wrong_name_is_refused(ann: User, name: str) -> None:
    with pytest.raises(making.TokenRefused, match="1 to 60"):
        making.create(ann, name)


def test_a_name_is_unique_until_its_token_has_expired(ann: User) -> None:
    first = making.create(ann, "cron").token
    with pytest.raises(making.TokenRefused, match="called cron already"):
        making.create(ann, "cron")
    with frozen_at(first.expires_at):
        making.create(ann, "cron")
    assert AccessToken.objects.count() == 1


def test_an_account_has_at_most_twenty_tokens(ann: User, boss: User) -> None:
    making.create(ann, "expired", expires_at=now() - timedelta(days=1))
    for number in range(making.MAX_TOKENS):
        making.create(ann, f"{number}")
    with pytest.raises(making.TokenRefused, match="at most 20"):
        making.create(ann, "one more")
    making.create(boss, "of somebody else")


def test_no_warning_is_sent_about_a_token_made_for_less_than_a_week(ann: User) -> None:
    assert making.create(ann, "cron", expires_at=now() + timedelta(days=6)).token.warn_at is None
