"""Erasure of an account: the copies in closed reports are deleted, those in open ones stay."""

from accounts.people.erasure import erase
from games.people.models import Complaint, ReportReason, Subject
from games.people.moderation import reporting, sealing
from games.people.moderation.reporting import Reported
from tests.people.moderation import cases
from tests.play.match_helpers import People


def line(who: People, number: int) -> Reported:
    copy = cases.lines(who.alice, "Coward!")
    return Reported(who.alice, Subject.LINE, copy, line=number)


def test_copies_in_closed_reports_are_deleted_and_others_stay(who: People) -> None:
    closed = reporting.report(who.bob, line(who, 1), ReportReason.ABUSE, "Again.")
    cases.decided(closed, cases.moderator())
    open_one = reporting.report(who.bob, line(who, 2), ReportReason.ABUSE)
    erase(who.alice)
    first, second = Complaint.objects.order_by("pk")
    assert (first.copy, sealing.words_of(first)) == ("", "Again.")
    assert [one.text for one in sealing.copy_of(second)] == ["Coward!"]
    assert second.report == open_one


def test_copies_in_the_reports_of_an_erased_reporter_are_deleted_too(who: People) -> None:
    closed = reporting.report(who.bob, line(who, 1), ReportReason.ABUSE)
    cases.decided(closed, cases.moderator())
    erase(who.bob)
    assert Complaint.objects.get().copy == ""
