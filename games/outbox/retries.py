"""Retry policy of the outbox: try again and when, or give up. Pure functions."""

import random
import smtplib
from datetime import timedelta
from pathlib import Path
from traceback import extract_tb

from django.db import InterfaceError, OperationalError
from django.db.models import Q

from games.outbox.handling import MailboxRefused, OwnFault, PermanentFailure, ServiceUnavailable

FIRST_DELAY = timedelta(seconds=30)
MAX_DELAY = timedelta(hours=1)
MAX_ATTEMPTS = 12
GIVE_UP_AFTER = timedelta(hours=72)
# What passes without anybody mending the program: a far side that is away, a database that is.
AWAY = (OSError, OperationalError, InterfaceError)

MANY = "many"

# Rows by what `describe` has written into them.
OWN_FAULTS = Q(error__startswith=OwnFault.__name__)
MANY_REFUSED = OWN_FAULTS & Q(error__endswith=MANY)
MAILBOX_REFUSED = Q(error__startswith=MailboxRefused.__name__)
SERVICE_UNAVAILABLE = Q(error__startswith=ServiceUnavailable.__name__)
# Of anything that a mail server has said; no other handler has such errors.
MAIL_FAILED = OWN_FAULTS | MAILBOX_REFUSED | SERVICE_UNAVAILABLE | Q(error__startswith="SMTP")


def is_final(error: Exception, attempts: int, age: timedelta) -> bool:
    """Whether to give up after so many attempts at a dispatch of that age.

    A lasting refusal ends it at once, a mistake in the program after 12 attempts. A far side or a
    database that is merely away, and what an administrator has to put right, ends it after 72
    hours: mail servers have been known to be down for a day.
    """
    if is_permanent(error):
        return True
    return attempts >= MAX_ATTEMPTS and (age >= GIVE_UP_AFTER or not isinstance(error, AWAY))


def is_permanent(error: Exception) -> bool:
    """Whether the far side has refused this for good."""
    return isinstance(error, PermanentFailure)


def retry_delay(error: Exception, attempts: int) -> timedelta:
    """30 s, doubled with each attempt up to an hour, give or take a fifth.

    Where nothing at all gets through, it stays at 30 s, so that all goes out soon after it does.
    """
    doublings = 0 if isinstance(error, ServiceUnavailable) else min(attempts - 1, 10)
    return min(FIRST_DELAY * 2.0**doublings, MAX_DELAY) * random.uniform(0.8, 1.2)  # noqa: S311 -- no secret.


def describe(error: Exception) -> str:
    """The kind of a failure in a few characters: never its message, which may quote an e-mail."""
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
