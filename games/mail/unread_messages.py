"""Messages that wait to be read: while one of theirs does, nobody loses on time."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Min

from games.mail.models import UNPROCESSED, IncomingMessage


def first_unread(user_ids: Collection[int]) -> dict[int, datetime]:
    """When the first message arrived that waits unread, for each of these who has one."""
    rows = IncomingMessage.objects.filter(UNPROCESSED, user__in=user_ids).values("user")
    return dict(rows.values_list("user", Min("arrived_at")))
