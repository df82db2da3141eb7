"""Reports to test with: Bob reports Alice, and moderators decide."""

from datetime import UTC, datetime

from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from config.roles import MODERATOR
from games.people.models import Decision, Outcome, Report, ReportReason, Subject
from games.people.moderation import deciding, reporting
from games.people.moderation.reporting import Reported
from games.people.ports import SpokenLine
from tests.play import match_helpers
from tests.play.match_helpers import People

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)


def lines(author: User, *texts: str) -> list[SpokenLine]:
    """Lines of talk by one author; the last is the reported one."""
    return [SpokenLine(number, author.pk, AT, text) for number, text in enumerate(texts, 1)]


def reported(who: People, words: str = "", by: User | None = None) -> Report:
    """Somebody, else Bob, has reported Alice's profile."""
    subject = Reported(who.alice, Subject.PROFILE)
    return reporting.report(by or who.bob, subject, ReportReason.ABUSE, words)


def moderator(name: str = "Berthier") -> User:
    """A moderator who may open the admin."""
    staff = match_helpers.person(name, is_staff=True)
    staff.groups.add(Group.objects.get(name=MODERATOR))
    return staff


def decided(
    report: Report, by: User, outcome: Outcome = Outcome.WARNED, days: int | None = None
) -> Decision:
    """The decision of a moderator about a report, for the reason "A quarrel."."""
    return deciding.decide(report.pk, by, outcome, "A quarrel.", days)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
