"""Unread messages: no player loses on time while an older message of theirs waits."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Min

from games.mail.models import UNPROCESSED, IncomingMessage


def first_unread(user_ids: Collection[int]) -> dict[int, datetime]:
    """Arrival time of the oldest unread message by user; users without one are left out."""
    rows = IncomingMessage.objects.filter(UNPROCESSED, user__in=user_ids).values("user")
    return dict(rows.values_list("user", Min("arrived_at")))
