"""Receipts to a reader whose e-mails are stopped: held, and sent when the mailbox works again."""

from datetime import timedelta

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.notifications.policy import deliverability
from games.outbox.delivery import dispatcher
from games.outbox.models import PENDING, Dispatch
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.mail import post
from tests.notifications.email.reading import sent_emails
from tests.play import match_helpers

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def turn(match: Match, alice: User) -> EmailMultiAlternatives:
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.email(alice)


def receipts() -> list[str]:
    return [email.to[0] for email in sent_emails() if "X-Estafette-Outcome" in email.extra_headers]


def held_count() -> int:
    return Dispatch.objects.filter(PENDING, handler="mail-receipt").count()


def stop(reader: User, why: str = deliverability.AWAY) -> None:
    deliverability.bounced(reader, why, lasting=True)


def test_a_receipt_waits_while_emails_are_stopped_and_is_sent_after(
    turn: EmailMultiAlternatives, alice: User, match: Match
) -> None:
    stop(alice)
    assert post.answers(alice, turn, "b4-b5") == []
    assert post.last().outcome == "played" and held_count() == 1
    deliverability.revive(alice)
    dispatcher.drain()
    assert receipts() == [alice.email] and held_count() == 0


def test_a_receipt_is_sent_once_the_fault_is_known_to_be_ours(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    stop(alice, deliverability.NO_SUCH)
    assert post.answers(alice, turn, "board") == []
    deliverability.revive_since(now() - timedelta(hours=1))
    dispatcher.drain()
    assert receipts() == [alice.email]


def test_a_held_receipt_is_dropped_after_three_days(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    stop(alice)
    post.answers(alice, turn, "board")
    for hours, waiting in ((7, 1), (71, 1), (73, 0)):
        with frozen_at(now() + timedelta(hours=hours)):
            dispatcher.drain()
        assert held_count() == waiting, hours
    deliverability.revive(alice)
    dispatcher.drain()
    assert receipts() == []


def test_a_reader_who_reported_spam_gets_none(turn: EmailMultiAlternatives, alice: User) -> None:
    stop(alice, deliverability.SPAM)
    assert post.answers(alice, turn, "board") == []
    assert held_count() == 0


def test_a_held_receipt_costs_nothing_until_it_is_due(
    turn: EmailMultiAlternatives, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stop(alice)
    post.answers(alice, turn, "board")
    assert dispatcher.drain() == 0
