"""Finding a token: one query, and None whatever is wrong."""

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import AccessToken, User
from accounts.tokens import finding, making, revoking, texts
from lib.db_clock import frozen_at, now

pytestmark = pytest.mark.postgresql


def test_a_token_is_found_with_its_user_in_one_query(
    ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = making.create(ann, "cron", ["play"])
    finding.find(made.text)  # notes the day
    with django_assert_num_queries(1):
        token = finding.find(made.text)
        assert token is not None
        assert token.user.username == "Annabel"
    assert token == made.token
    assert (token.name, token.scopes) == ("cron", "read play")


def test_a_wrong_checksum_costs_no_query(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = texts.new()
    with django_assert_num_queries(0):
        assert finding.find(text[:-1] + ("0" if text[-1] != "0" else "1")) is None
        assert finding.find("") is None
    with django_assert_num_queries(1):
        assert finding.find(text) is None


def test_the_day_of_use_is_written_once_a_day(
    ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = making.create(ann, "cron")
    for at in (now(), now() + timedelta(days=1)):
        with frozen_at(at):
            with django_assert_num_queries(2):
                assert finding.find(made.text) is not None
            with django_assert_num_queries(1):
                assert finding.find(made.text) is not None
        assert AccessToken.objects.get().used_on == at.date()


def test_an_expired_token_is_not_found(ann: User) -> None:
    made = making.create(ann, "cron")
    with frozen_at(made.token.expires_at - timedelta(seconds=1)):
        assert finding.find(made.text) is not None
    with frozen_at(made.token.expires_at):
        assert finding.find(made.text) is None


def test_a_revoked_token_is_not_found(ann: User) -> None:
    made = making.create(ann, "cron")
    assert revoking.revoke(made.token)
    assert not revoking.revoke(made.token)
    assert finding.find(made.text) is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"pending": True}])
def test_a_token_of_a_user_who_may_not_act_is_not_found(ann: User, change: Any) -> None:
    made = making.create(ann, "cron")
    User.objects.filter(pk=ann.pk).update(**change)
    assert finding.find(made.text) is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"pending": True}])
def test_a_token_of_a_bot_is_found_only_if_its_owner_may_act(
    ann: User, boss: User, change: Any
) -> None:
    boss.owner = ann
    boss.username, boss.email, boss.is_staff, boss.is_superuser = "Bot-Anna", "", False, False
    boss.save()
    made = making.create(boss, "cron")
    row = finding.find(made.text)
    assert row is not None and row.user.owner_id == ann.pk
    User.objects.filter(pk=ann.pk).update(**change)
    assert finding.find(made.text) is None
