"""Answers of people to a decision about them: once, within 14 days, by a link in the e-mail.

The link works without signing in, since the account may be blocked.
"""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.urls import reverse

from games.idempotency.replay import command_transaction
from games.people import moderators
from games.people.models import Decision, Outcome, Report, ReportState
from games.people.moderation import sealing
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

ANSWERED_WITHIN = timedelta(days=14)
MAX_ANSWER = 1000  # characters

_SALT = "games.people.decisions"


class CannotBeAnswered(Refusal):
    """A decision was answered before, or cannot be answered any more."""


def path(decision_id: int) -> str:
    """The path of the page of a decision, which shows the reason and takes the answer."""
    # Without a time stamp, so that an e-mail that is sent again has the same bytes.
    token = signing.Signer(salt=_SALT).sign_object(decision_id)
    return reverse("moderation:decision", args=[token])


def read(token: str) -> Decision | None:
    """The decision of a link; None for a link that was never signed, or after its deletion."""
    try:
        pk = signing.Signer(salt=_SALT).unsign_object(token)
    except signing.BadSignature:
        return None
    return Decision.objects.select_related("report__person").filter(pk=pk).first()


def may_answer(decision: Decision) -> bool:
    """Whether the person may answer this decision now."""
    report = decision.report
    return (
        decision.outcome != Outcome.NOTHING
        and not decision.replaced
        and report.state == ReportState.CLOSED
        and report.answered_at is None
        and now() < decision.made_at + ANSWERED_WITHIN
    )


def answer(decision: Decision, text: str) -> None:
    """Answer a decision, which puts its report back into the queue; raises CannotBeAnswered."""
    with command_transaction():
        waiting = Report.objects.filter(
            pk=decision.report_id, state=ReportState.CLOSED, answered_at=None
        )
        answered = may_answer(decision) and waiting.update(
            state=ReportState.ANSWERED,
            answer=sealing.seal_answer(text, decision.report_id),
            answered_at=now(),
            closed_at=None,
        )
        if not answered:
            raise CannotBeAnswered(
                gettext_noop(
                    "A decision can be answered once, within %(days)s days. This one was answered "
                    "before, was made after an answer, or is older."
                ),
                days=ANSWERED_WITHIN // timedelta(days=1),
            )
        moderators.alert(decision.report)
