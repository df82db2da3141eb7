"""Answers: once, within 14 days, by a link that works without signing in."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client

from games.people.models import Decision, Outcome, Report, ReportState
from games.people.moderation import answers, sealing
from games.people.moderation.answers import CannotBeAnswered
from tests.people.moderation import cases
from tests.play.match_helpers import People


@pytest.fixture
def decision(who: People) -> Decision:
    return cases.decided(cases.reported(who), cases.moderator(), Outcome.BLOCKED)


def test_an_answer_reopens_the_report(decision: Decision) -> None:
    page = answers.path(decision.pk)
    shown = Client().get(page)
    assert shown.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "A quarrel." in shown.content.decode()
    sent = Client().post(page, {"answer": "It was\r\na joke."}, follow=True)
    assert "You have answered." in sent.content.decode()
    report = Report.objects.get()
    assert (report.state, report.closed_at) == (ReportState.ANSWERED, None)
    assert sealing.answer_of(report) == "It was\na joke."
    assert "joke" not in report.answer


def test_a_second_answer_is_refused(decision: Decision) -> None:
    answers.answer(decision, "It was a joke.")
    answer = Client().post(answers.path(decision.pk), {"answer": "Once more."})
    assert answer.status_code == 422
    assert "can be answered once" in answer.content.decode()
    assert sealing.answer_of(Report.objects.get()) == "It was a joke."


@pytest.mark.parametrize("days", [13, 14])
def test_an_answer_is_accepted_within_14_days(decision: Decision, days: int) -> None:
    Decision.objects.update(made_at=F("made_at") - timedelta(days=days))
    status = Client().post(answers.path(decision.pk), {"answer": "It was a joke."}).status_code
    assert status == (302 if days < 14 else 422)


def test_the_decision_after_an_answer_is_final(decision: Decision) -> None:
    answers.answer(decision, "It was a joke.")
    final = cases.decided(Report.objects.get(), cases.moderator("Soult"))
    for each in (final, Decision.objects.get(pk=decision.pk)):
        with pytest.raises(CannotBeAnswered):
            answers.answer(each, "No.")
    assert "replaced" in Client().get(answers.path(decision.pk)).content.decode()


def test_a_decision_without_a_broken_rule_cannot_be_answered(who: People) -> None:
    decision = cases.decided(cases.reported(who), cases.moderator(), Outcome.NOTHING)
    with pytest.raises(CannotBeAnswered):
        answers.answer(decision, "Why?")


@pytest.mark.parametrize("text", ["", "x" * 1001, "a\x07b"])
def test_an_invalid_answer_is_refused_with_a_sentence(decision: Decision, text: str) -> None:
    answer = Client().post(answers.path(decision.pk), {"answer": text})
    assert answer.status_code == 422
    assert 'class="errorlist"' in answer.content.decode()
    assert Report.objects.get().state == ReportState.CLOSED


def test_a_guessed_link_is_not_found(decision: Decision) -> None:
    assert Client().get(f"/people/decision/{decision.pk}:guessed/").status_code == 404
