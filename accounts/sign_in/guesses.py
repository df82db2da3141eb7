"""Guesses at passwords and second factors, counted before they are tried, in one statement each.

A count in a cache is read and then written, under a lock that may expire or be on another server:
of guesses that are sent at once several could be counted as one. Here the database counts, so that
as many are tried as are allowed, however many come at once, and whether or not Redis is there.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from allauth.core.internal.ratelimit import get_ip
from django.db import connection
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import GuessCount


class Limit(NamedTuple):
    """So many guesses; then none until so long after the last one."""

    guesses: int
    seconds: int


# A person can be tried by handle and by address; the two counts must not betray that they are one,
# so that each allows half of what the account may bear: five guesses in five minutes.
OF_TARGET = Limit(5, 600)
OF_SOURCE = Limit(10, 60)

COUNT = """
    INSERT INTO accounts_guesscount (key, until, guesses) VALUES (%s, %s, 1)
    ON CONFLICT (key) DO UPDATE SET
        guesses = CASE WHEN accounts_guesscount.until <= %s THEN 1
                       ELSE accounts_guesscount.guesses + 1 END,
        until = excluded.until
    WHERE accounts_guesscount.until <= %s OR accounts_guesscount.guesses < %s
"""


def begin(request: HttpRequest, target: str) -> list[str] | None:
    """Count a guess at a target; the keys by which to take it back, or None if it is one too many.

    Counted for the network address that it comes from, too.
    """
    limits = {key("source", get_ip(request)): OF_SOURCE, key("target", target): OF_TARGET}
    return list(limits) if all(_count(*each) for each in limits.items()) else None


def take_back(keys: Iterable[str]) -> None:
    """Uncount a guess that was right; what was counted for others stands."""
    GuessCount.objects.filter(key__in=list(keys), guesses__gt=0).update(guesses=F("guesses") - 1)


def forget(target: str) -> None:
    """Begin to count anew, for a password that was just reset."""
    GuessCount.objects.filter(key=key("target", target)).delete()


def key(kind: str, name: str) -> str:
    """A row's key, which tells nobody an address or what was typed."""
    return salted_hmac(f"accounts.guesses.{kind}", name, algorithm="sha256").hexdigest()


def _count(row: str, limit: Limit) -> bool:
    now = timezone.now()
    until, at = map(
        connection.ops.adapt_datetimefield_value, (now + timedelta(seconds=limit.seconds), now)
    )
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [row, until, at, at, limit.guesses])
        counted: bool = cursor.rowcount == 1
    return counted
