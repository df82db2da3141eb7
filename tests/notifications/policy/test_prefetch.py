"""Prefetch: matches are read for several e-mails at once, with a fixed number of queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games.notifications.models import ReplyAddress
from games.notifications.policy import prefetch
from games.notifications.policy.prefetch import READ_AHEAD_ROWS
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.models.ply import Ply
from tests.floors import at_least
from tests.notifications.email.reading import delivered, prose
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


def matches_with_a_move(who: People, count: int) -> list[Match]:
    """This many matches in which Alice has moved and Bob is to be notified."""
    matches = [match_helpers.running_match(who) for _ in range(count)]
    dispatcher.drain()
    return [match_helpers.play(match, "a4-a5") for match in matches]


def delivery_queries(who: People, count: int) -> int:
    """The number of queries to deliver this many e-mails."""
    matches_with_a_move(who, count)
    with CaptureQueriesContext(connection) as queries:
        assert len(delivered()) == count
    return len(queries)


def test_each_further_email_costs_one_statement(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", 60)
    assert delivery_queries(who, 6) - delivery_queries(who, 2) == 4


def test_a_reply_address_costs_each_further_email_no_statement(
    who: People, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", 60)
    settings.MAIL_REPLIES = "true"
    assert delivery_queries(who, 6) - delivery_queries(who, 2) == 4
    assert ReplyAddress.objects.count() == Dispatch.objects.exclude(sent_at=None).count()


def test_stale_data_is_read_again(who: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", -1)
    assert (
        delivery_queries(who, 6) - delivery_queries(who, 2) == 4 * 3
    )  # the match, its plies, and the mark


@pytest.mark.soak
def test_more_emails_than_are_prefetched_are_all_sent(who: People) -> None:
    matches = matches_with_a_move(who, READ_AHEAD_ROWS + 1)
    bodies = at_least(READ_AHEAD_ROWS + 1, map(prose, delivered()))
    assert all(f"match {match.pk}\n" in body for match, body in zip(matches, bodies, strict=True))
    assert all(f"{READ_AHEAD_ROWS + 1} matches are waiting" in body for body in bodies)


def test_a_match_that_cannot_be_decrypted_delays_no_other_email(who: People) -> None:
    one, broken, other = matches_with_a_move(who, 3)
    Ply.objects.filter(match=broken, number=broken.ply).update(sealed=b"nonsense")
    subjects = "\n".join(str(email.subject) for email in delivered())
    assert f"Match {one.pk}:" in subjects and f"Match {other.pk}:" in subjects
    (waiting,) = Dispatch.objects.filter(sent_at=None, superseded_at=None)
    assert waiting.ref["match"] == broken.pk and waiting.attempts == 1


def test_no_email_is_sent_about_a_deleted_match(who: People) -> None:
    gone, kept = matches_with_a_move(who, 2)
    Ply.objects.filter(match=gone).delete()
    gone.delete()
    (email,) = delivered()
    assert email.subject.startswith(f"Match {kept.pk}:")
