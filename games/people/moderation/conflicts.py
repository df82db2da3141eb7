"""Which moderator may decide about which report."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accounts.admin_actions import opponents_of, why_not_against
from accounts.models import User
from games.people import moderators
from games.people.models import Report, ReportState
from games.people.moderation import listing

if TYPE_CHECKING:
    from collections.abc import Iterator


def why_not(
    moderator: User, report: Report, opponents: Callable[[], Collection[int]] | None = None
) -> str:
    """Why this moderator may not decide about a report; "" if they may.

    `opponents` returns the ids of the moderator's opponents, if they are known already.
    """
    known = opponents or (lambda: opponents_of(moderator))
    if refusal := standing_conflict(moderator, report, known):
        return refusal
    if report.state == ReportState.ANSWERED and _decided(moderator, report):
        for other in _others(moderator):
            if not standing_conflict(other, report, lambda: opponents_of(other)):  # noqa: B023 -- called at once
                return _(
                    "you made the decision that was answered, so another moderator has to look "
                    "at it."
                )
    return ""


def standing_conflict(
    moderator: User, report: Report, opponents: Callable[[], Collection[int]]
) -> str:
    """Why a moderator may neither see nor decide a report, whatever becomes of it; "" if none."""
    if report.complaints.filter(reporter=moderator).exists():
        return _("you have reported this yourself, so somebody else has to decide.")
    bots = listing.bots_of(report.complaints.all()).values()
    refusals = (why_not_against(moderator, one, opponents) for one in (report.person, *bots))
    return next(filter(None, refusals), "")


def _decided(moderator: User, report: Report) -> bool:
    return report.decisions.filter(moderator=moderator, replaced=False).exists()


def _others(moderator: User) -> Iterator[User]:
    yield from moderators.everybody().exclude(pk=moderator.pk)
