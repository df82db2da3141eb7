"""Retention periods of notifications: how long account e-mails and reply addresses are kept."""

from datetime import timedelta

from django.db.models import Q

from games.notifications.email.replies.reply_addresses import LIFETIME
from games.notifications.models import AccountEmail, ReplyAddress
from lib.retention import Kept, by_date, oldest_first

KEPT = (
    Kept(
        "e-mails about an account that could not be sent, sealed",
        timedelta(days=3),
        "they were written",
        "`written_at`",
        by_date(AccountEmail, "written_at"),
        AccountEmail,
    ),
    Kept(
        "addresses to answer e-mails to, hashed",
        LIFETIME,
        "they were issued",
        "the primary key",
        oldest_first(ReplyAddress, "issued_at", lambda horizon: Q(issued_at__lt=horizon)),
        ReplyAddress,
    ),
)
