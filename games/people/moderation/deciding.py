"""Decisions of moderators about reports, and their effects."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max, Q

from accounts.models import User
from accounts.people import blocking
from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.people.events import Moderated, ReportClosed
from games.people.models import Decision, Outcome, Report, ReportState
from games.people.moderation import silence
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

MAX_SILENCE_DAYS = 90


class NotWaiting(Refusal):
    """A report was decided by somebody else meanwhile."""


def decide(
    report_id: int, moderator: User, outcome: Outcome, reason: str, days: int | None = None
) -> Decision:
    """Close a report that waits, with a reason that the person reads.

    `days` is the length of a silence, 1 to 90. After an answer, the decision replaces the first
    one, and what that had done is undone. Who may decide is checked by the caller (`conflicts`).
    Raises NotWaiting, and ValueError for a number of days that does not fit.
    """
    if (outcome == Outcome.SILENCED) != (days is not None):
        raise ValueError("A silence has a number of days, and nothing else has.")
    if days is not None and not 1 <= days <= MAX_SILENCE_DAYS:
        raise ValueError(f"A silence lasts 1 to {MAX_SILENCE_DAYS} days.")
    with command_transaction():
        instant = now()
        # First the person, as a further report does: it joins this one, or finds it closed.
        about = Report.objects.filter(pk=report_id).values("person")
        person = User.objects.select_for_update(no_key=True).get(pk__in=about)
        report = Report.objects.select_for_update(no_key=True).get(pk=report_id)
        if report.state == ReportState.CLOSED:
            raise NotWaiting(gettext_noop("decided already."))
        first = report.decisions.filter(replaced=False).first()
        report.decisions.update(replaced=True)
        decision = Decision.objects.create(
            report=report,
            moderator=moderator,
            outcome=outcome,
            reason=reason,
            until=None if days is None else instant + timedelta(days=days),
            blocked=[],
            made_at=instant,
        )
        report.state, report.closed_at = ReportState.CLOSED, instant
        report.save(update_fields=["state", "closed_at"])
        _apply(person, decision, first)
        if first is None:
            publishing.publish(ReportClosed(report=report.pk, people=people(_reporters(report))))
        if first is not None or outcome != Outcome.NOTHING:
            publishing.publish(Moderated(decision=decision.pk, people=people([person])))
    return decision


def _reporters(report: Report) -> list[User]:
    reporters = report.complaints.order_by().values("reporter")
    return list(User.objects.filter(pk__in=reporters).order_by("pk"))


def _apply(person: User, decision: Decision, first: Decision | None) -> None:
    """Give a decision its effects on the person and their bots, and take those of the first back.

    An account stays blocked, and a person silenced, if another report has led to that. An account
    that somebody had blocked before the first decision stays blocked.
    """
    if person.is_former:
        # Nothing of an erased account is changed but its silence, which has no effect there.
        User.objects.filter(pk=person.pk).update(silenced_until=None)
        return
    in_force = silence.decisions_in_force(person.pk)
    until = in_force.aggregate(until=Max("until"))["until"]
    User.objects.filter(Q(pk=person.pk) | Q(owner=person)).update(silenced_until=until)
    undone = _blocked_by(first)
    if decision.outcome == Outcome.BLOCKED:
        decision.blocked = sorted({*undone, *blocking.block(person)})
        decision.save(update_fields=["blocked"])
    elif undone:
        others = Decision.objects.filter(
            report__person=person, outcome=Outcome.BLOCKED, replaced=False
        )
        heir = others.order_by("pk").first()
        if heir is None:
            blocking.unblock(person, only=undone)
        else:
            heir.blocked = sorted({*undone, *_blocked_by(heir)})
            heir.save(update_fields=["blocked"])


def _blocked_by(decision: Decision | None) -> list[int]:
    """The users whom a decision blocked."""
    if decision is None or decision.outcome != Outcome.BLOCKED:
        return []
    return [decision.report.person_id] if decision.blocked is None else decision.blocked
