"""Pages of reports: what may be reported, and what reporter and person read afterwards."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.people import ports
from games.people.models import Complaint, Outcome, Report, ReportReason, Subject
from games.people.moderation import reporting, sealing
from games.people.ports import SpokenLine
from games.play.terms import Terms
from tests.people.moderation import cases
from tests.play.match_helpers import People
from tests.ports import connected

PROFILE = "/people/profile/Alice/report/"
TERMS = Terms("lattaque-en")


def test_a_profile_is_reported_from_its_page(who: People) -> None:
    bob = cases.browser(who.bob)
    assert PROFILE in bob.get("/people/profile/Alice/").content.decode()
    assert bob.get(PROFILE).status_code == 200
    page = bob.post(
        PROFILE, {"reason": "threat", "words": "He knows\r\nwhere I live."}, follow=True
    )
    assert "A moderator will look at it." in page.content.decode()
    complaint = Complaint.objects.get()
    assert complaint.subject == Subject.PROFILE
    assert sealing.words_of(complaint) == "He knows\nwhere I live."


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"reason": "rude"}, "Select a valid choice"),
        ({"words": "Help!"}, "This field is required"),
        ({"reason": "other"}, "Say in a few words what is wrong."),
        ({"reason": "spam", "words": "x" * 501}, "at most 500 characters"),
        ({"reason": "spam", "words": "a\x07b"}, "cannot be shown"),
    ],
)
def test_an_invalid_form_shows_the_errors(who: People, fields: dict[str, str], says: str) -> None:
    page = cases.browser(who.bob).post(PROFILE, fields)
    assert page.status_code == 422
    assert says in page.content.decode()
    assert not Report.objects.exists()


def test_a_line_break_counts_as_one_character(who: People) -> None:
    words = "\r\n".join("x" * 250)
    page = cases.browser(who.bob).post(PROFILE, {"reason": "spam", "words": words})
    assert page.status_code == 302


def test_users_cannot_report_themselves(who: People) -> None:
    alice = cases.browser(who.alice)
    assert PROFILE not in alice.get("/people/profile/Alice/").content.decode()
    page = alice.post(PROFILE, {"reason": "spam"})
    assert page.status_code == 422 and "cannot report yourself" in page.content.decode()


def test_visitors_have_to_sign_in_first(who: People) -> None:
    for page in (PROFILE, "/match/1/talk/1/report/", "/lobby/1/report/", "/people/reports/"):
        assert Client().get(page).headers["Location"].startswith("/account/login/")


def test_the_message_of_an_invitation_is_reported_with_a_copy(who: People) -> None:
    seat = lobby.offer(who.alice, TERMS, kind=InvitationKind.SEAT, note="Cowards, come!")
    page, bob = f"/lobby/{seat.pk}/report/", cases.browser(who.bob)
    assert page in bob.get(f"/lobby/{seat.pk}/").content.decode()
    assert "Cowards, come!" in bob.get(page).content.decode()
    assert bob.post(page, {"reason": "abuse"}).status_code == 302
    complaint = Complaint.objects.get()
    assert (complaint.report.person, complaint.invitation) == (who.alice, seat.pk)
    assert [line.text for line in sealing.copy_of(complaint)] == ["Cowards, come!"]


def test_unreadable_or_missing_texts_cannot_be_reported(who: People) -> None:
    silent = lobby.offer(who.alice, TERMS, kind=InvitationKind.SEAT)
    challenge = lobby.offer(
        who.alice, TERMS, kind=InvitationKind.CHALLENGE, guest=who.charlie, note="Coward!"
    )
    bob = cases.browser(who.bob)
    for number in (silent.pk, challenge.pk, 999):
        assert bob.get(f"/lobby/{number}/report/").status_code == 404


def test_a_line_of_talk_is_reported_with_the_lines_before_it(who: People) -> None:
    lines = [*cases.lines(who.bob, "Hello."), SpokenLine(2, who.alice.pk, cases.AT, "Coward!")]

    def talk(match_id: int, number: int, reader: User) -> list[SpokenLine]:
        return lines[:number] if (match_id, reader) == (7, who.bob) else []

    with connected(ports.talk_excerpt, talk):
        bob = cases.browser(who.bob)
        assert "Coward!" in bob.get("/match/7/talk/2/report/").content.decode()
        assert bob.get("/match/8/talk/2/report/").status_code == 404
        assert cases.browser(who.charlie).get("/match/7/talk/2/report/").status_code == 404
        own = bob.post("/match/7/talk/1/report/", {"reason": "abuse"})
        assert own.status_code == 422


def test_without_talk_no_line_can_be_reported(who: People) -> None:
    with connected(ports.talk_excerpt):
        assert cases.browser(who.bob).get("/match/7/talk/2/report/").status_code == 404


@pytest.mark.parametrize(
    ("outcome", "says"), [(Outcome.NOTHING, "no rule broken"), (Outcome.BLOCKED, "action taken")]
)
def test_a_reporter_reads_the_result(who: People, outcome: Outcome, says: str) -> None:
    report, bob = cases.reported(who), cases.browser(who.bob)
    assert "a moderator will look at it" in bob.get("/people/reports/").content.decode()
    cases.decided(report, cases.moderator(), outcome)
    page = bob.get("/people/reports/").content.decode()
    assert says in page and "A quarrel." not in page
    assert "blocked" not in page.replace("/people/blocked/", "")


def test_the_person_reads_each_decision_and_nothing_about_the_reporter(who: People) -> None:
    report = cases.reported(who, words="She was rude.")
    alice = cases.browser(who.alice)
    assert "Decisions about you" not in alice.get("/people/reports/").content.decode()
    decision = cases.decided(report, cases.moderator(), Outcome.WARNED)
    page = alice.get("/people/reports/")
    (listed,) = page.context["decisions"]
    shown = alice.get(listed.link).content.decode()
    assert "A quarrel." in shown and decision.get_outcome_display() in page.content.decode()
    for text in (shown, page.content.decode()):
        assert "Bob" not in text and "rude" not in text


def test_the_query_count_of_the_page_does_not_grow_with_reports(
    who: People, django_assert_max_num_queries: Any
) -> None:
    browser, staff = cases.browser(who.bob), cases.moderator()
    for number in range(9):
        line = reporting.Reported(who.alice, Subject.LINE, cases.lines(who.alice, "!"), line=number)
        report = reporting.report(who.bob, line, ReportReason.SPAM)
        if number % 2:
            cases.decided(report, staff)
    with django_assert_max_num_queries(6):
        page = browser.get("/people/reports/")
    assert len(page.context["reports"]) == 9
