"""Erasure of a closed account: copies of what the person wrote, in reports that are closed."""

from django.db.models import Q

from accounts.models import User
from games.people.models import Complaint, ReportState


def erase_player(user: User) -> None:
    """Delete the copies in closed reports about an erased account or by it.

    Reports that wait keep theirs, or nobody could decide them. Words, answers and decisions stay
    until a year after the report was closed, since they may be about others.
    """
    concerned = Q(report__person=user) | Q(bot=user.pk) | Q(reporter=user)
    Complaint.objects.filter(concerned, report__state=ReportState.CLOSED).update(copy="")
