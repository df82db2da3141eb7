"""E-mails of moderators: no setting delays them, and blocked people get them too."""

import re

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import User
from games.notifications import catalogue
from games.notifications.policy import preferences, summaries
from games.notifications.policy.preferences import Frequency
from games.outbox.models import Dispatch
from games.people.events import Moderated
from games.people.models import Outcome
from games.people.moderation import answers
from tests.floors import at_least
from tests.notifications.email.reading import delivered, only, parsed, text
from tests.people.moderation import cases
from tests.play.match_helpers import People


def decided(who: People, outcome: Outcome, days: int | None = None) -> list[EmailMultiAlternatives]:
    """The e-mails after a decision about Alice, whom Bob has reported."""
    cases.decided(cases.reported(who), cases.moderator(), outcome, days)
    return delivered()


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome.WARNED, "A moderator has warned you."),
        (Outcome.SILENCED, "you may write nothing to other players until"),
        (Outcome.BLOCKED, "blocked your account"),
    ],
)
def test_the_person_reads_the_decision_the_reason_and_where_to_answer(
    who: People, outcome: Outcome, says: str
) -> None:
    days = 3 if outcome == Outcome.SILENCED else None
    email = only(decided(who, outcome, days), who.alice)
    body = " ".join(text(email).split())
    assert says in body and "A quarrel." in body
    link = re.search(r"/people/decision/\S+/", text(email))
    assert link is not None
    sent = Client().post(link[0], {"answer": "It was a joke."})
    assert sent.status_code == 302, "Answering needs no session."
    assert "Bob" not in body


@pytest.mark.parametrize(
    ("outcome", "says"),
    [(Outcome.NOTHING, "no rule broken"), (Outcome.WARNED, "action taken")],
)
def test_a_reporter_reads_only_whether_something_was_done(
    who: People, outcome: Outcome, says: str
) -> None:
    email = only(decided(who, outcome), who.bob)
    body = " ".join(text(email).split())
    assert says in body
    assert "A quarrel." not in body and "warned" not in body


def test_only_the_reporter_gets_an_email_about_a_dismissed_report(
    who: People,
) -> None:
    assert [email.to for email in decided(who, Outcome.NOTHING)] == [[who.bob.email]]


def test_the_decision_after_an_answer_is_called_final(who: People) -> None:
    report = cases.reported(who)
    answers.answer(cases.decided(report, cases.moderator()), "It was a joke.")
    delivered()
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    email = only(delivered(), who.alice)
    assert "you have broken no rule" in " ".join(text(email).split())
    assert "This decision is final." in text(email)


def test_no_preference_and_no_schedule_delays_them(who: People) -> None:
    User.objects.filter(pk=who.alice.pk).update(match_emails=False, reminder_emails=False)
    who.alice.refresh_from_db()
    preferences.change(who.alice, frequency=Frequency.DAILY, unwanted=("email moderation",))
    assert only(decided(who, Outcome.WARNED), who.alice)


def test_their_checkbox_is_ticked_and_disabled(who: People) -> None:
    browser = cases.browser(who.alice)
    box = browser.get("/notifications/").context["form"]["email_moderation"]
    assert box.value() is True and "disabled" in str(box)


def test_subject_and_preview_do_not_mention_the_decision(who: People) -> None:
    for email in at_least(1, decided(who, Outcome.WARNED)):
        assert parsed(email)["Subject"] == "The moderators have a message for you"


def test_other_blocked_users_get_no_email(who: People) -> None:
    report = cases.reported(who)
    User.objects.filter(pk=who.bob.pk).update(is_active=False)
    cases.decided(report, cases.moderator())
    assert [email.to for email in delivered()] == [[who.alice.email]]


@pytest.mark.parametrize("outcome", [Outcome.WARNED, Outcome.BLOCKED])
def test_a_push_asks_nobody_to_sign_in_who_cannot(who: People, outcome: Outcome) -> None:
    cases.decided(cases.reported(who), cases.moderator(), outcome)
    row = Dispatch.objects.get(event=Moderated.name)
    notification = catalogue.find(row.event)
    summary = summaries.about(notification, notification.require_view(row))
    blocked = outcome == Outcome.BLOCKED
    assert summary.text == ("You get it by e-mail." if blocked else "Sign in to read it.")
    assert summary.link.endswith("/people/reports/") != blocked
