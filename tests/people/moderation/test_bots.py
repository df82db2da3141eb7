"""Reports about bots: the owner answers for them, and the reporter reads of the bot alone."""

from typing import Any

import pytest

from accounts.models import User
from accounts.people import bots
from games.people.models import Complaint, Outcome, Report, ReportReason, Subject
from games.people.moderation import answers, conflicts, export, reporting
from games.people.moderation.reporting import Reported, ReportRefused
from games.play.commands.matches import open_match
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from tests.notifications.email.reading import delivered, shown_text
from tests.people.moderation import cases
from tests.play.match_helpers import People


@pytest.fixture
def bot(who: People) -> User:
    return bots.create(who.alice, "Roboto")


def reported(bot: User, by: User) -> Report:
    return reporting.report(by, Reported(bot, Subject.PROFILE), ReportReason.ABUSE)


def emails() -> dict[str, str]:
    return {each.to[0]: shown_text(each) for each in delivered()}


def test_the_owner_is_notified_and_the_reporter_reads_of_the_bot(who: People, bot: User) -> None:
    report = reported(bot, who.bob)
    assert report.person == who.alice and Complaint.objects.get().bot == bot.pk
    decision = cases.decided(report, cases.moderator())
    sent = emails()
    assert "A moderator has warned you." in sent["alice@example.org"]
    assert "Concerning: Bot-Roboto" in sent["alice@example.org"]
    assert "your report about Bot-Roboto" in sent["bob@example.org"]
    assert "Alice" not in sent["bob@example.org"]
    own = cases.browser(who.bob).get("/people/reports/").content.decode()
    assert "Bot-Roboto" in own and "Alice" not in own
    page = cases.browser(who.alice).get(answers.path(decision.pk)).content.decode()
    assert "<dd>Bot-Roboto</dd>" in page
    exported, _decisions = export.files(who.bob)
    assert b'"Bot-Roboto"' in b"".join(exported.pieces)


def test_reports_about_a_person_and_their_bots_are_one(who: People, bot: User) -> None:
    report = reported(bot, who.bob)
    assert cases.reported(who) == report == cases.reported(who, by=who.charlie)
    with pytest.raises(ReportRefused, match="already"):
        reported(bot, who.bob)
    cases.decided(report, cases.moderator())
    sent = emails()
    assert "Concerning: Alice, Bot-Roboto" in sent["alice@example.org"]
    assert "your report about Alice, Bot-Roboto" in sent["bob@example.org"]
    assert "your report about Alice." in sent["charlie@example.org"]


def test_owners_cannot_report_their_bots(who: People, bot: User) -> None:
    with pytest.raises(ReportRefused, match="yourself"):
        reported(bot, who.alice)


def test_a_moderator_who_plays_against_the_bot_does_not_decide(who: People, bot: User) -> None:
    staff, report = cases.moderator(), reported(bot, who.bob)
    assert not conflicts.why_not(staff, report)
    open_match(Terms("lattaque-en"), {Seat.SOUTH: staff, Seat.NORTH: bot})
    assert "playing a match" in conflicts.why_not(staff, report)


def test_a_block_stops_the_owner_and_the_bot(who: People, bot: User) -> None:
    cases.decided(reported(bot, who.bob), cases.moderator(), Outcome.BLOCKED)
    for one in (who.alice, bot):
        one.refresh_from_db()
        assert not one.is_active


def test_the_page_of_a_report_names_the_bot_to_moderators(
    who: People, bot: User, settings: Any
) -> None:
    settings.STAFF_NEEDS_MFA = False
    report, staff = reported(bot, who.bob), cases.moderator()
    page = cases.browser(staff).get(f"/admin/people/report/{report.pk}/change/")
    assert "(Bot-Roboto)" in page.content.decode()
