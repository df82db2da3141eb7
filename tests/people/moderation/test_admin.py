"""The queue in the admin: its order, what it shows, who may neither see nor decide."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import F

from accounts import ports
from accounts.models import User
from games.people.models import Decision, Outcome, Report, ReportReason, Subject
from games.people.moderation import answers, reporting
from games.people.moderation.reporting import Reported
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.ports import connected

LIST = "/admin/people/report/"


@pytest.fixture(autouse=True)
def _without_factors(settings: Any) -> None:
    settings.STAFF_NEEDS_MFA = False


def act(staff: User, report: Report, action: str = "warn", **fields: str) -> str:
    """What the admin says when a member of staff decides a report."""
    form = {"action": action, "_selected_action": report.pk, "apply": "yes", "reason": "A quarrel."}
    page = cases.browser(staff).post(LIST, {**form, **fields}, follow=True)
    return "; ".join(str(message) for message in page.context["messages"])


def listed(staff: User, **query: str) -> list[Report]:
    page = cases.browser(staff).get(LIST, query)
    return list(page.context["cl"].result_list)


def test_reports_by_most_reporters_come_first_then_the_oldest(who: People) -> None:
    old, young = cases.reported(who), cases.reported(People(who.charlie, who.bob, who.alice))
    Report.objects.filter(pk=old.pk).update(opened_at=F("opened_at") - timedelta(days=1))
    staff = cases.moderator()
    assert listed(staff) == [old, young]
    Report.objects.filter(pk=young.pk).update(reporters=1)
    assert listed(staff) == [young, old]
    cases.decided(young, staff)
    assert listed(staff) == [old]
    assert listed(staff, state="closed") == [young]
    assert len(listed(staff, state="all")) == 2


def test_a_report_is_shown_with_its_copy_the_match_and_earlier_decisions(who: People) -> None:
    match = match_helpers.running_match(who)
    staff = cases.moderator()
    cases.decided(cases.reported(who), staff)
    copy = cases.lines(who.alice, "Good luck.", "<b>Coward!</b>")
    reported = Reported(who.alice, Subject.LINE, copy, match=match.pk, line=2)
    report = reporting.report(who.bob, reported, ReportReason.ABUSE, "Again.")
    page = cases.browser(staff).get(f"{LIST}{report.pk}/change/").content.decode()
    for text in ("Good luck.", "&lt;b&gt;Coward!", "Again.", "Bob", f"/match/{match.pk}/"):
        assert text in page
    assert "A quarrel." in page, "The earlier decision is shown."


def test_each_decision_is_in_the_history_and_in_the_security_log(
    who: People, caplog: pytest.LogCaptureFixture
) -> None:
    report, staff = cases.reported(who), cases.moderator()
    with caplog.at_level(logging.INFO, "accounts.security"):
        assert act(staff, report, "silence", days="7") == f"#{report.pk}: silenced: A quarrel."
    assert f"did silence of people.Report {report.pk}" in caplog.text
    assert LogEntry.objects.get(object_id=str(report.pk)).get_change_message() == (
        "silenced: A quarrel."
    )
    assert Decision.objects.get().moderator == staff


@pytest.mark.parametrize("days", ["0", "91", ""])
def test_a_silence_of_an_invalid_length_is_refused(who: People, days: str) -> None:
    report = cases.reported(who)
    assert act(cases.moderator(), report, "silence", days=days) == ""
    assert not Decision.objects.exists()


def test_two_moderators_decide_once(who: People) -> None:
    report = cases.reported(who)
    act(cases.moderator(), report)
    assert "decided already" in act(cases.moderator("Soult"), report, "block")
    assert Decision.objects.get().outcome == Outcome.WARNED


def test_moderators_neither_see_nor_decide_reports_about_themselves(who: People) -> None:
    staff = User.objects.create_superuser("Berthier", "b@example.org")
    report = cases.reported(People(staff, who.bob, who.charlie))
    assert listed(staff, state="all") == []
    page = cases.browser(staff).get(f"{LIST}{report.pk}/change/")
    assert page.status_code == 302, "It is as if there were no such report."
    act(staff, report, "close")
    assert not Decision.objects.exists()


def test_moderators_cannot_decide_their_own_reports(who: People) -> None:
    staff = cases.moderator()
    report = cases.reported(who, by=staff)
    assert "you have reported this yourself" in act(staff, report)
    assert cases.browser(staff).get(f"{LIST}{report.pk}/change/").status_code == 403
    assert not Decision.objects.exists()


def test_moderators_cannot_decide_about_an_opponent_or_read_their_lines(who: People) -> None:
    staff, report = cases.moderator(), cases.reported(who)
    match_helpers.running_match(People(staff, who.alice, who.bob))
    assert "you are playing a match against each other" in act(staff, report)
    assert cases.browser(staff).get(f"{LIST}{report.pk}/change/").status_code == 403
    assert not Decision.objects.exists()


def test_moderators_cannot_decide_about_players_in_the_same_tournament(who: People) -> None:
    staff, report = cases.moderator(), cases.reported(who)
    with connected(ports.compete, lambda one, other: {one, other} == {staff.pk, who.alice.pk}):
        assert "the same tournament or ladder" in act(staff, report)
    assert not Decision.objects.exists()


def test_an_answer_goes_to_another_moderator_if_there_is_one(who: People) -> None:
    staff, report = cases.moderator(), cases.reported(who)
    answers.answer(cases.decided(report, staff), "It was a joke.")
    other = cases.moderator("Soult")
    assert "another moderator has to look at it" in act(staff, report, "close")
    page = cases.browser(other).get(f"{LIST}{report.pk}/change/").content.decode()
    assert "It was a joke." in page
    assert "no rule broken" in act(other, report, "close")


@pytest.mark.parametrize("why", ["there is nobody else", "the other is an opponent", "reported it"])
def test_an_answer_goes_to_the_same_moderator_if_no_other_may_decide(who: People, why: str) -> None:
    staff = cases.moderator()
    if why != "there is nobody else":
        other = cases.moderator("Soult")
    if why == "the other is an opponent":
        match_helpers.running_match(People(other, who.alice, who.bob))
    report = cases.reported(who)
    if why == "reported it":
        cases.reported(who, by=other)
    answers.answer(cases.decided(report, staff), "It was a joke.")
    assert "no rule broken" in act(staff, report, "close")
