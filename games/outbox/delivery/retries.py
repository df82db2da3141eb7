"""Retry policy of the outbox: when to retry a failed row, and when to give up. Pure functions."""

import random
import smtplib
from datetime import timedelta
from pathlib import Path
from traceback import extract_tb

from django.db import InterfaceError, OperationalError
from django.db.models import Q

from games.outbox.handling import (
    MailboxRefused,
    OwnFault,
    PermanentFailure,
    RetryAfter,
    ServiceUnavailable,
)

FIRST_DELAY = timedelta(seconds=30)
MAX_DELAY = timedelta(hours=1)
MAX_ATTEMPTS = 12
# Of a server that names the time of the next one, at most a day later.
MAX_NAMED_ATTEMPTS = 3
GIVE_UP_AFTER = timedelta(hours=72)
# Failures that pass without a change of the program: a server or the database is unreachable.
AWAY = (OSError, OperationalError, InterfaceError)

MANY = "many"

# Rows by the error that `describe` wrote.
OWN_FAULTS = Q(error__startswith=OwnFault.__name__)
MANY_REFUSED = OWN_FAULTS & Q(error__endswith=MANY)
MAILBOX_REFUSED = Q(error__startswith=MailboxRefused.__name__)
SERVICE_UNAVAILABLE = Q(error__startswith=ServiceUnavailable.__name__)
# All failures that come from a mail server; no other handler has such errors.
MAIL_FAILED = OWN_FAULTS | MAILBOX_REFUSED | SERVICE_UNAVAILABLE | Q(error__startswith="SMTP")


def is_final(error: Exception, attempts: int, age: timedelta) -> bool:
    """Whether to give up a row of that age after `attempts` failures, `error` being the last.

    True at once for a permanent failure, and after 12 attempts for an error in the program. An
    unreachable server or database, or a fault on our side, is retried for 72 hours: mail servers
    have been down for a day.
    """
    if is_permanent(error):
        return True
    most = MAX_NAMED_ATTEMPTS if isinstance(error, RetryAfter) else MAX_ATTEMPTS
    return attempts >= most and (age >= GIVE_UP_AFTER or not isinstance(error, AWAY))


def is_permanent(error: Exception) -> bool:
    """Whether the remote server has refused this for good."""
    return isinstance(error, PermanentFailure)


def retry_delay(error: Exception, attempts: int) -> timedelta:
    """30 s, doubled with each attempt up to an hour, with a jitter of a fifth.

    It stays at 30 s while a server is unavailable, so that all rows are sent soon after it is back.
    It is never less than a server has asked for.
    """
    doublings = 0 if isinstance(error, ServiceUnavailable) else min(attempts - 1, 10)
    delay = min(FIRST_DELAY * 2.0**doublings, MAX_DELAY) * random.uniform(0.8, 1.2)  # noqa: S311 -- no secret.
    return max(delay, error.wait) if isinstance(error, RetryAfter) else delay


def describe(error: Exception) -> str:
    """The kind of a failure, in up to 80 characters; no message, since that may quote an e-mail."""
    kind = type(error).__name__
    match error:
        case ServiceUnavailable():
            return f"{kind} ({error.kind})"
        case MailboxRefused():
            return f"{kind} {error.code}"
        case OwnFault():
            return f"{kind} {error.code}{f' {MANY}' if error.many else ''}"
        case smtplib.SMTPRecipientsRefused():
            return f"{kind} {' '.join(str(code) for code, _ in error.recipients.values())}"[:80]
        case smtplib.SMTPResponseException():
            return f"{kind} {error.smtp_code}"
        case OSError():
            return f"{kind} {error.errno or ''}".strip()
    frames = extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{kind}{place}"[:80]
