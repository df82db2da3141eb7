"""Reports: what a player tells the moderators about what somebody wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import F

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.people import moderators
from games.people.locks import lock_users
from games.people.models import Complaint, Report, ReportReason, ReportState, Subject
from games.people.moderation import sealing
from games.play.lists.opponents import has_finished_match
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from games.people.ports import SpokenLine

MAX_REPORTS_A_DAY = 10  # per reporter
MAX_WORDS = 500  # characters that a reporter may add


class ReportRefused(Refusal):
    """Something cannot be reported, or not now."""


@dataclass(frozen=True)
class Reported:
    """What is reported: whose, which, and a copy of it (the reported line last).

    For what a bot is or writes its owner answers; `person` is the bot then.
    """

    person: User
    subject: Subject
    copy: Sequence[SpokenLine] = ()
    match: int | None = None
    line: int | None = None
    invitation: int | None = None


def report(reporter: User, reported: Reported, reason: ReportReason, words: str = "") -> Report:
    """Report something to the moderators; joins the open report about the same person.

    Raises ReportRefused.
    """
    _refuse_unless_reportable(reporter, reported.person)
    person = reported.person.owner or reported.person
    with command_transaction():
        # Locks both rows, so that concurrent reports neither exceed the limit nor open two reports.
        lock_users((reporter.pk, person.pk))
        instant = now()
        made = Complaint.objects.filter(reporter=reporter)
        if made.filter(made_at__gt=instant - timedelta(days=1)).count() >= MAX_REPORTS_A_DAY:
            raise ReportRefused(
                gettext_noop(
                    "You have made %(limit)s reports within a day, which is the limit. Try again "
                    "tomorrow."
                ),
                limit=MAX_REPORTS_A_DAY,
            )
        opened, _made = Report.objects.get_or_create(
            person=person, state=ReportState.OPEN, defaults={"opened_at": instant}
        )
        complaints = made.filter(report=opened)
        place = {name: getattr(reported, name) for name in ("subject", "line", "invitation")}
        place["match_id"] = reported.match
        place["bot"] = reported.person.pk if reported.person.is_bot else None
        if complaints.filter(**place).exists():
            raise ReportRefused(
                gettext_noop("You have reported this already. A moderator will look at it.")
            )
        if not complaints.exists() and has_finished_match(reporter.pk):
            Report.objects.filter(pk=opened.pk).update(reporters=F("reporters") + 1)
        Complaint.objects.create(
            report=opened,
            reporter=reporter,
            reason=reason,
            words=sealing.seal_words(words, opened.pk, reporter.pk),
            copy=sealing.seal_copy(reported.copy, opened.pk, reporter.pk),
            made_at=instant,
            **place,
        )
        moderators.alert(opened)
    return opened


def _refuse_unless_reportable(reporter: User, person: User) -> None:
    if reporter.pk in (person.pk, person.owner_id):
        raise ReportRefused(gettext_noop("You cannot report yourself."))
    if person.is_house:
        raise ReportRefused(
            gettext_noop("Computer opponents write nothing, so they cannot be reported.")
        )
    if person.is_former:
        raise ReportRefused(
            gettext_noop("This player has closed their account and cannot be reported any more.")
        )
