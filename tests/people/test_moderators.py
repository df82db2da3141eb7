"""Moderators are notified of new reports: at most once an hour, without a word of them."""

from datetime import datetime, timedelta

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.outbox.models import Dispatch, Reason
from games.people.models import Outcome
from games.people.moderation import answers
from lib.db_clock import frozen_at
from tests.notifications.email.reading import delivered, only, text
from tests.people.moderation import cases
from tests.play.match_helpers import People

AT = datetime.fromisoformat("2026-03-02T08:20:00+00:00")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def moderator(who: People) -> User:
    return cases.moderator()


def sent(at: datetime) -> list[EmailMultiAlternatives]:
    with frozen_at(at):
        return delivered()


def report(who: People, at: datetime, by: User | None = None) -> None:
    with frozen_at(at):
        cases.reported(who, "He is a coward.", by)


def test_at_the_full_hour_they_read_how_many_reports_wait_and_where(
    who: People, moderator: User
) -> None:
    report(who, AT)
    report(who, AT + MINUTE, by=who.charlie)
    assert sent(AT + 39 * MINUTE) == []
    email = only(sent(AT + 40 * MINUTE), moderator)
    body = text(email)
    assert "A report waits for a decision." in body
    assert "/people/report/" in body
    assert not {"coward", "Alice", "Bob", "Charlie"} & {*body.replace(".", " ").split()}
    assert email.subject == "Reports wait for the moderators"


def test_they_get_no_second_email_within_the_hour_or_without_another_report(
    who: People, moderator: User
) -> None:
    report(who, AT)
    assert len(sent(AT + 40 * MINUTE)) == 1
    # It joins the report that waits.
    report(who, AT + 41 * MINUTE, by=who.charlie)
    assert sent(AT + 99 * MINUTE) == []
    assert len(sent(AT + 100 * MINUTE)) == 1
    assert sent(AT + 5 * HOUR) == []


def test_decided_reports_are_not_counted(who: People, moderator: User) -> None:
    with frozen_at(AT):
        cases.decided(cases.reported(who), who.charlie, Outcome.NOTHING)
    emails = sent(AT + HOUR)
    assert [email.to for email in emails] == [[who.bob.email]]
    row = Dispatch.objects.get(event="reports-wait")
    assert row.user == moderator and row.reason == Reason.OUTDATED


def test_an_answer_is_counted_like_a_report(who: People, moderator: User) -> None:
    with frozen_at(AT):
        decision = cases.decided(cases.reported(who), moderator)
    sent(AT + HOUR)
    with frozen_at(AT + 2 * HOUR):
        answers.answer(decision, "It was a joke.")
    email = only(sent(AT + 3 * HOUR), moderator)
    assert "joke" not in text(email)


def test_only_moderators_who_may_decide_are_notified(who: People, moderator: User) -> None:
    colleague = cases.moderator("Davout")
    # Not about what they reported themselves.
    report(who, AT, by=colleague)
    assert [email.to for email in sent(AT + HOUR)] == [[moderator.email]]
    # Nor after they have lost the role.
    report(who, AT + 2 * HOUR)
    moderator.groups.clear()
    assert sent(AT + 3 * HOUR) == []


def test_a_moderator_is_not_notified_of_a_report_about_them(who: People, moderator: User) -> None:
    who.alice.is_staff = True
    who.alice.save()
    who.alice.groups.set(moderator.groups.all())
    report(who, AT)
    assert [email.to for email in sent(AT + HOUR)] == [[moderator.email]]
