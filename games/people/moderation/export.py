"""What moderation exports of a person: reports that they made, and decisions about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from accounts.models import User
from games.people.models import Complaint, Decision, Outcome
from games.people.moderation import sealing
from lib.exports.files import File, in_batches, json_rows, plain, values
from lib.exports.parts import WITHOUT_MEANING, Exported

REPORTED = ("subject", "match", "line", "invitation", "reason", "made_at")
DECIDED = ("outcome", "reason", "until", "replaced", "made_at")


def files(user: User) -> Iterator[File]:
    """reports.json and moderation.json; never who reported the person."""
    yield json_rows("reports.json", _reports(user))
    yield json_rows("moderation.json", _decisions(user))


def _reports(user: User) -> Iterator[dict[str, Any]]:
    """Each report with its outcome as the reporter reads it: null, or whether action was taken."""
    in_force = Prefetch("report__decisions", Decision.objects.filter(replaced=False))
    made = Complaint.objects.filter(reporter=user).select_related("report__person")
    for row in in_batches(made.prefetch_related(in_force).order_by("pk")):
        decision = next(iter(row.report.decisions.all()), None)
        taken = None if decision is None else decision.outcome != Outcome.NOTHING
        reported = row.report.person if row.bot is None else User.objects.get(pk=row.bot)
        about = {"person": reported.username, "words": sealing.words_of(row)}
        yield values(row, REPORTED) | about | {"action_taken": taken}


def _decisions(user: User) -> Iterator[dict[str, Any]]:
    """Each decision, with the answer of the person to it."""
    about = Decision.objects.filter(report__person=user).select_related("report")
    for row in in_batches(about.order_by("pk")):
        answered_at = row.report.answered_at
        answered = answered_at is not None and row.made_at < answered_at
        answer = {
            "answer": sealing.answer_of(row.report) if answered else "",
            "answered_at": plain(answered_at) if answered else None,
        }
        yield values(row, DECIDED) | answer


MODELS = {
    "people.Complaint": Exported(
        "reports.json",
        (*REPORTED, "words"),
        {
            "id": WITHOUT_MEANING,
            "report": "It would tell which reports of others it was joined with.",
            "reporter": "It is the person.",
            "copy": "It is what somebody else wrote.",
            "bot": "The report names it in place of the person.",
        },
    ),
    "people.Report": Exported(
        "moderation.json",
        ("answer", "answered_at"),
        {
            "id": WITHOUT_MEANING,
            "person": "It is the person.",
            "state": "It would tell of reports that are not decided yet.",
            "reporters": "It would tell of the reporters.",
            "opened_at": "It would tell when somebody reported them.",
            "closed_at": "It is when the decision was made.",
        },
    ),
    "people.Decision": Exported(
        "moderation.json",
        DECIDED,
        {
            "id": WITHOUT_MEANING,
            "report": "It is the report that the decision closed.",
            "moderator": "Moderators decide for the site.",
            "blocked": "It is the person and their bots, as the decision says.",
        },
    ),
}
