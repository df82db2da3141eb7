"""Decisions: their effects, who is notified, and what a second decision reverts."""

from datetime import timedelta

import pytest

from accounts.models import Session
from accounts.people import blocking, bots
from accounts.values import usernames
from games.outbox.models import Dispatch
from games.people.models import Decision, Outcome, Report, ReportState
from games.people.moderation import answers, deciding, silence
from games.people.moderation.deciding import NotWaiting
from lib.db_clock import now
from tests.people.moderation import cases
from tests.play.match_helpers import People


def published_events() -> set[tuple[str, str]]:
    """The events that were published, each with the name of its reader."""
    return {(row.event, str(row.user)) for row in Dispatch.objects.select_related("user")}


def test_a_warning_is_sent_to_the_person_and_reporters_learn_that_something_was_done(
    who: People,
) -> None:
    report = cases.reported(who)
    cases.reported(who, by=who.charlie)
    cases.decided(report, cases.moderator())
    report.refresh_from_db()
    assert report.state == ReportState.CLOSED and report.closed_at is not None
    assert published_events() == {
        ("moderated", "Alice"),
        ("report-closed", "Bob"),
        ("report-closed", "Charlie"),
    }


def test_only_the_reporter_is_notified_of_a_dismissed_report(who: People) -> None:
    cases.decided(cases.reported(who), cases.moderator(), Outcome.NOTHING)
    assert published_events() == {("report-closed", "Bob")}


def test_a_report_is_decided_once(who: People) -> None:
    report, staff = cases.reported(who), cases.moderator()
    cases.decided(report, staff)
    with pytest.raises(NotWaiting):
        cases.decided(report, staff, Outcome.BLOCKED)
    who.alice.refresh_from_db()
    assert who.alice.is_active


def test_a_silence_lasts_the_given_number_of_days(who: People) -> None:
    before = now()
    decision = cases.decided(cases.reported(who), cases.moderator(), Outcome.SILENCED, days=90)
    who.alice.refresh_from_db()
    assert who.alice.silenced_until == decision.until
    assert decision.until is not None and decision.until - before >= timedelta(days=90)


@pytest.mark.parametrize("days", [None, 0, 91])
def test_a_silence_has_1_to_90_days(who: People, days: int | None) -> None:
    with pytest.raises(ValueError, match="days"):
        cases.decided(cases.reported(who), cases.moderator(), Outcome.SILENCED, days)
    assert not Decision.objects.exists()


def test_the_longer_of_two_silences_counts(who: People) -> None:
    staff = cases.moderator()
    long = cases.decided(cases.reported(who), staff, Outcome.SILENCED, 30)
    cases.decided(cases.reported(who), staff, Outcome.SILENCED, 2)
    who.alice.refresh_from_db()
    assert who.alice.silenced_until == long.until


def test_a_blocked_person_is_signed_out(who: People) -> None:
    cases.browser(who.alice)
    cases.decided(cases.reported(who), cases.moderator(), Outcome.BLOCKED)
    who.alice.refresh_from_db()
    assert not who.alice.is_active
    assert not Session.objects.filter(user=who.alice).exists()


@pytest.mark.parametrize(("first", "days"), [(Outcome.SILENCED, 5), (Outcome.BLOCKED, None)])
def test_a_second_decision_reverts_the_first_one(
    who: People, first: Outcome, days: int | None
) -> None:
    report, staff = cases.reported(who), cases.moderator()
    answers.answer(cases.decided(report, staff, first, days), "It was a joke.")
    Dispatch.objects.all().delete()
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    who.alice.refresh_from_db()
    assert who.alice.is_active and who.alice.silenced_until is None
    assert published_events() == {("moderated", "Alice")}, "Reporters hear once what became of it."
    assert [each.replaced for each in report.decisions.order_by("pk")] == [True, False]


def test_effects_of_another_report_are_kept(who: People) -> None:
    staff, other = cases.moderator(), cases.moderator("Soult")
    report = cases.reported(who)
    answers.answer(cases.decided(report, staff, Outcome.BLOCKED), "It was a joke.")
    cases.decided(cases.reported(who), staff, Outcome.BLOCKED)
    cases.decided(report, other, Outcome.WARNED)
    who.alice.refresh_from_db()
    assert not who.alice.is_active


def test_a_decision_about_an_erased_account_changes_nothing(who: People) -> None:
    report = cases.reported(who)
    who.alice.username, who.alice.is_active = f"{usernames.FORMER}-{who.alice.pk}", False
    who.alice.save()
    answers.answer(cases.decided(report, cases.moderator(), Outcome.BLOCKED), "Why?")
    deciding.decide(report.pk, cases.moderator("Soult"), Outcome.NOTHING, "No.")
    who.alice.refresh_from_db()
    assert not who.alice.is_active
    assert Report.objects.get().state == ReportState.CLOSED


def test_a_granted_answer_does_not_unblock_what_staff_had_blocked_before(who: People) -> None:
    report, bot = cases.reported(who), bots.create(who.alice, "Misbot")
    other = bots.create(who.alice, "Goodbot")
    blocking.block(bot)
    decision = cases.decided(report, cases.moderator(), Outcome.BLOCKED)
    assert decision.blocked == [who.alice.pk, other.pk]
    answers.answer(decision, "It was a joke.")
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    for one in (who.alice, bot, other):
        one.refresh_from_db()
    assert [who.alice.is_active, bot.is_active, other.is_active] == [True, False, True]


def test_a_granted_answer_leaves_an_account_blocked_that_was_blocked_before(who: People) -> None:
    blocking.block(who.alice)
    report = cases.reported(who)
    answers.answer(cases.decided(report, cases.moderator(), Outcome.BLOCKED), "It was a joke.")
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    who.alice.refresh_from_db()
    assert not who.alice.is_active


def test_the_last_of_several_blocking_decisions_to_be_replaced_unblocks(who: People) -> None:
    staff, other = cases.moderator(), cases.moderator("Soult")
    reports = []
    for _ in range(2):
        report = cases.reported(who)
        answers.answer(cases.decided(report, staff, Outcome.BLOCKED), "It was a joke.")
        cases.decided(report, other, Outcome.BLOCKED)
        reports.append(report)
    third = cases.reported(who)
    answers.answer(cases.decided(third, staff, Outcome.BLOCKED), "It was a joke.")
    Report.objects.filter(pk__in=[each.pk for each in reports]).update(state=ReportState.ANSWERED)
    active = []
    for report in (*reports, third):
        cases.decided(report, other, Outcome.NOTHING)
        who.alice.refresh_from_db()
        active.append(who.alice.is_active)
    assert active == [False, False, True]


def test_a_decision_of_an_older_version_unblocks_the_person_alone(who: People) -> None:
    report, bot = cases.reported(who), bots.create(who.alice, "Misbot")
    decision = cases.decided(report, cases.moderator(), Outcome.BLOCKED)
    Decision.objects.update(blocked=None)
    answers.answer(decision, "It was a joke.")
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    who.alice.refresh_from_db()
    bot.refresh_from_db()
    assert who.alice.is_active and not bot.is_active


def test_a_silence_counts_for_the_bots_of_the_person_until_it_is_taken_back(who: People) -> None:
    first, report = bots.create(who.alice, "Bold"), cases.reported(who)
    decision = cases.decided(report, cases.moderator(), Outcome.SILENCED, 5)
    later = bots.create(who.alice, "Brave")
    for bot in (first, later):
        bot.refresh_from_db()
        with pytest.raises(silence.Silenced, match="quarrel"):
            silence.check(bot)
    answers.answer(decision, "It was a joke.")
    cases.decided(report, cases.moderator("Soult"), Outcome.NOTHING)
    for bot in (first, later):
        bot.refresh_from_db()
        silence.check(bot)
