"""Reports: who may report what, how many a day, how they join, and what is stored."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from accounts.values import usernames
from games.people.models import Complaint, Report, ReportReason, ReportState, Subject
from games.people.moderation import reporting, sealing
from games.people.moderation.reporting import MAX_REPORTS_A_DAY, Reported, ReportRefused
from games.play.lists.opponents import has_finished_match
from games.play.models.match import Player
from lib.db_clock import now
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People


def test_a_report_is_stored_with_its_copy_and_text(who: People) -> None:
    copy = cases.lines(who.alice, "Hello.", "You coward!")
    reported = Reported(who.alice, Subject.LINE, copy, line=2)
    report = reporting.report(who.bob, reported, ReportReason.ABUSE, "Again.")
    complaint = report.complaints.get()
    assert (report.person, report.state) == (who.alice, ReportState.OPEN)
    assert sealing.copy_of(complaint) == copy
    assert sealing.words_of(complaint) == "Again."


def test_copies_and_texts_are_sealed_at_rest(who: People) -> None:
    copy = cases.lines(who.alice, "You coward!")
    reporting.report(who.bob, Reported(who.alice, Subject.LINE, copy), ReportReason.ABUSE, "Again.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT words, copy FROM people_complaint")
        stored = repr(cursor.fetchall())
    assert "coward" not in stored and "Again" not in stored


def test_further_reports_join_the_open_one(who: People) -> None:
    first = cases.reported(who)
    assert cases.reported(who, by=who.charlie) == first
    assert Report.objects.count() == 1
    assert first.complaints.count() == 2


def test_the_same_thing_can_be_reported_once(who: People) -> None:
    cases.reported(who)
    with pytest.raises(ReportRefused, match="reported this already"):
        cases.reported(who)
    line = Reported(who.alice, Subject.LINE, cases.lines(who.alice, "You!"), line=1)
    reporting.report(who.bob, line, ReportReason.THREAT)
    assert Complaint.objects.count() == 2


def test_a_report_after_a_decision_is_a_new_one(who: People) -> None:
    first = cases.reported(who)
    cases.decided(first, cases.moderator())
    assert cases.reported(who) != first


def test_only_reporters_with_a_finished_match_count(who: People) -> None:
    report = cases.reported(who)
    report.refresh_from_db()
    assert report.reporters == 0
    match_helpers.finished_match(People(who.charlie, who.alice, who.bob), *MOVES)
    report = cases.reported(who, by=who.charlie)
    another = Reported(who.alice, Subject.LINE, cases.lines(who.alice, "You!"), line=1)
    reporting.report(who.charlie, another, ReportReason.ABUSE)
    report.refresh_from_db()
    assert report.reporters == 1, "Each reporter counts once."


MOVES = (*match_helpers.FIRST_MOVES, "a5-a4", "j6-j7")


def test_a_missed_match_is_not_finished(who: People) -> None:
    match_helpers.finished_match(who, *MOVES)
    assert has_finished_match(who.alice.pk)
    Player.objects.filter(user=who.alice).update(missed_at=now())
    assert not has_finished_match(who.alice.pk)


def test_ten_reports_a_day_are_the_limit(who: People) -> None:
    for number in range(MAX_REPORTS_A_DAY):
        line = Reported(who.alice, Subject.LINE, cases.lines(who.alice, "!"), line=number)
        reporting.report(who.bob, line, ReportReason.SPAM)
    with pytest.raises(ReportRefused, match="10 reports within a day"):
        cases.reported(who)
    cases.reported(who, by=who.charlie)
    Complaint.objects.update(made_at=F("made_at") - timedelta(days=1))
    cases.reported(who)


def test_users_cannot_report_themselves_or_former_users(who: People) -> None:
    with pytest.raises(ReportRefused, match="yourself"):
        cases.reported(who, by=who.alice)
    who.alice.username = f"{usernames.FORMER}-1"
    with pytest.raises(ReportRefused, match="closed their account"):
        cases.reported(who)
    assert not Report.objects.exists()
