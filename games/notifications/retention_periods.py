"""Retention periods of notifications: what is kept for how long."""

from datetime import timedelta

from django.db.models import Q

from accounts.retention import Kept, by_date, oldest_first
from games.notifications.email.reply_addresses import LIFETIME
from games.notifications.models import AccountEmail, ReplyAddress

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
