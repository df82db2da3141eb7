"""Retention periods of accounts: what is kept for how long."""

from datetime import timedelta

from django.contrib.admin.models import LogEntry
from django.db.models import Q

from accounts.models import AccessToken, GuessCount, Session, User
from lib.retention import Kept, by_date, oldest_first

KEPT = (
    Kept(
        "sign-ups whose address was not confirmed",
        timedelta(days=3),
        "the sign-up",
        "`user_pending`",
        by_date(User, "date_joined", lambda: Q(pending=True)),
        User,
    ),
    Kept(
        "sessions",
        timedelta(0),
        "their end: 30 days after the last visit, 90 after the log-in",
        "`expire_date`",
        by_date(Session, "expire_date"),
        Session,
    ),
    Kept(
        "tokens for the API, hashed",
        timedelta(days=30),
        "they expired",
        "`token_expires`",
        by_date(AccessToken, "expires_at"),
        AccessToken,
    ),
    Kept(
        "counters of guesses at passwords and factors",
        timedelta(0),
        "their end, ten minutes after the last guess",
        "`until`",
        by_date(GuessCount, "until"),
        GuessCount,
    ),
    Kept(
        "the history of what staff did in the admin",
        timedelta(days=730),
        "it was done",
        "the primary key",
        oldest_first(LogEntry, "action_time", lambda horizon: Q(action_time__lt=horizon)),
        LogEntry,
    ),
)
