"""Lists of reports: one's own with what became of them, decisions about oneself, the history."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from games.people.models import Complaint, Decision, Outcome, Report, Subject
from games.people.moderation import answers

MAX_LISTED = 50  # of each kind


@dataclass(frozen=True)
class OwnReport:
    """A report as its reporter sees it: what about whom, and the outcome as yes or no."""

    person: object
    subject: str
    made_at: datetime
    is_decided: bool
    action_taken: bool


@dataclass(frozen=True)
class DecisionAbout:
    """A decision as the person sees whom it is about."""

    decision: Decision
    link: str
    may_answer: bool


def made_by(user_id: int) -> list[OwnReport]:
    """The newest reports that a user has made, of a bot under its own name."""
    complaints = Complaint.objects.filter(reporter=user_id).order_by("-made_at")
    rows = complaints.select_related("report__person").prefetch_related(
        Prefetch("report__decisions", _in_force())
    )
    newest = list(rows[:MAX_LISTED])
    bots = bots_of(newest)
    return [_own(complaint, bots) for complaint in newest]


def bots_of(complaints: Iterable[Complaint]) -> dict[int, User]:
    """The bots that were reported, by id."""
    ids = {row.bot for row in complaints if row.bot is not None}
    return User.objects.in_bulk(ids) if ids else {}


def concerned(report: Report, reporter: User | None = None) -> list[User]:
    """Who was reported, all or by one reporter: the person and bots of theirs."""
    complaints = (
        report.complaints.all() if reporter is None else report.complaints.filter(reporter=reporter)
    )
    rows = list(complaints)
    themselves = [report.person] if any(row.bot is None for row in rows) else []
    return [*themselves, *(bot for _pk, bot in sorted(bots_of(rows).items()))]


def about(user_id: int) -> list[DecisionAbout]:
    """The newest decisions about a user that are in force."""
    decisions = _in_force().filter(report__person=user_id).select_related("report")
    return [
        DecisionAbout(decision, answers.path(decision.pk), answers.may_answer(decision))
        for decision in decisions[:MAX_LISTED]
    ]


def history(user_ids: Collection[int], before: Report) -> QuerySet[Report]:
    """The newest other reports about these users, each with its decisions, oldest first."""
    others = Report.objects.filter(person__in=user_ids).exclude(pk=before.pk).order_by("-pk")
    decided = Decision.objects.select_related("moderator").order_by("pk")
    return others.select_related("person").prefetch_related(Prefetch("decisions", decided))[
        :MAX_LISTED
    ]


def _in_force() -> QuerySet[Decision]:
    return Decision.objects.filter(replaced=False).order_by("-pk")


def _own(complaint: Complaint, bots: Mapping[int, User]) -> OwnReport:
    decision = next(iter(complaint.report.decisions.all()), None)
    return OwnReport(
        person=bots.get(complaint.bot or 0, complaint.report.person),
        subject=str(Subject(complaint.subject).label),
        made_at=complaint.made_at,
        is_decided=decision is not None,
        action_taken=decision is not None and decision.outcome != Outcome.NOTHING,
    )
