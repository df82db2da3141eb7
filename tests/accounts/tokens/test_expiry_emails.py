"""A week before its end, the owner of a token is notified by e-mail, once."""

from datetime import timedelta

import pytest
from django.core import mail
from pytest_django import DjangoAssertNumQueries

from accounts.models import AccessToken, User
from accounts.people import bots
from accounts.tokens import expiry_emails, making
from config import tasks
from lib.db_clock import frozen_at

pytestmark = pytest.mark.postgresql_soak

MINUTE, WEEK = timedelta(minutes=1), timedelta(days=7)


def test_the_owner_is_notified_once_a_week_before(ann: User) -> None:
    token = making.create(ann, "cron").token
    with frozen_at(token.expires_at - WEEK - MINUTE):
        assert expiry_emails.warn_due() == 0
    with frozen_at(token.expires_at - WEEK):
        tasks.warn_of_tokens()
        tasks.warn_of_tokens()
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    assert message.subject == "[Estafette] An API token expires in a week"
    assert 'Your token "cron" expires on' in message.body
    assert "/people/tokens/" in message.body


def test_the_owner_of_a_bots_token_is_notified_in_their_language(ann: User) -> None:
    ann.language = "de"
    ann.save()
    token = making.create(bots.create(ann, "Anna"), "cron").token
    with frozen_at(token.expires_at - WEEK):
        assert expiry_emails.warn_due() == 1
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    assert "Bot-Anna" in message.body and "Hallo Annabel" in message.body


@pytest.mark.parametrize("fields", [{"is_active": False}, {"pending": True}])
def test_users_who_cannot_use_the_token_are_not_notified(
    ann: User, fields: dict[str, bool]
) -> None:
    token = making.create(ann, "cron").token
    User.objects.filter(pk=ann.pk).update(**fields)
    with frozen_at(token.expires_at - WEEK):
        assert expiry_emails.warn_due() == 0
    assert not mail.outbox
    assert AccessToken.objects.get().warn_at is None


def test_the_sweep_reads_only_due_rows(
    ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        making.create(ann, f"{number}")
    with frozen_at(AccessToken.objects.earliest("pk").created_at), django_assert_num_queries(1):
        expiry_emails.warn_due()
