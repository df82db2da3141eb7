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


def moved(who: People, count: int) -> list[Match]:
    """So many matches in which Alice has moved and Bob is to be told."""
    matches = [match_helpers.running_match(who) for _ in range(count)]
    dispatcher.drain()
    return [match_helpers.play(match, "a4-a5") for match in matches]


def asked(who: People, count: int) -> int:
    """The queries that it takes to deliver so many e-mails."""
    moved(who, count)
    with CaptureQueriesContext(connection) as queries:
        assert len(delivered()) == count
    return len(queries)


def test_an_email_more_costs_one_statement_more(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", 60)
    assert asked(who, 6) - asked(who, 2) == 4


def test_an_address_to_answer_to_costs_an_email_more_no_statement_more(
    who: People, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", 60)
    settings.MAIL_REPLIES = "true"
    assert asked(who, 6) - asked(who, 2) == 4
    assert ReplyAddress.objects.count() == Dispatch.objects.exclude(sent_at=None).count()


def test_what_was_read_a_while_ago_is_read_again(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "FRESH_SECONDS", -1)
    assert asked(who, 6) - asked(who, 2) == 4 * 3  # the match, its plies, and the mark


@pytest.mark.soak
def test_more_emails_than_are_read_ahead_all_leave(who: People) -> None:
    matches = moved(who, READ_AHEAD_ROWS + 1)
    bodies = at_least(READ_AHEAD_ROWS + 1, map(prose, delivered()))
    assert all(f"match {match.pk}\n" in body for match, body in zip(matches, bodies, strict=True))
    assert all(f"{READ_AHEAD_ROWS + 1} matches are waiting" in body for body in bodies)


def test_a_match_that_cannot_be_opened_holds_up_no_other_email(who: People) -> None:
    one, broken, other = moved(who, 3)
    Ply.objects.filter(match=broken, number=broken.ply).update(sealed=b"nonsense")
    subjects = "\n".join(str(email.subject) for email in delivered())
    assert f"Match {one.pk}:" in subjects and f"Match {other.pk}:" in subjects
    (waiting,) = Dispatch.objects.filter(sent_at=None, superseded_at=None)
    assert waiting.ref["match"] == broken.pk and waiting.attempts == 1


def test_a_match_that_is_gone_is_not_told_of(who: People) -> None:
    gone, kept = moved(who, 2)
    Ply.objects.filter(match=gone).delete()
    gone.delete()
    (email,) = delivered()
    assert email.subject.startswith(f"Match {kept.pk}:")
