"""Limits on guesses at passwords and second factors, counted exactly in the database.

allauth reads and writes a count in the cache, so parallel guesses could count as one. Here each
guess is counted by one SQL statement before it is tried, with or without Redis.
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
    """A number of guesses; then none until `seconds` after the last one."""

    guesses: int
    seconds: int


# An account can be guessed at by username and by address. The two are counted separately, since a
# shared count would reveal that they belong together. So each has half of the limit of an account.
TARGET_LIMIT = Limit(5, 600)
SOURCE_LIMIT = Limit(10, 60)

COUNT = """
    INSERT INTO accounts_guesscount (key, until, guesses) VALUES (%s, %s, 1)
    ON CONFLICT (key) DO UPDATE SET
        guesses = CASE WHEN accounts_guesscount.until <= %s THEN 1
                       ELSE accounts_guesscount.guesses + 1 END,
        until = excluded.until
    WHERE accounts_guesscount.until <= %s OR accounts_guesscount.guesses < %s
"""


def count(request: HttpRequest, target: str) -> list[str] | None:
    """Count a guess at a target and from a network address.

    Returns the keys to uncount it with, or None if the limit is reached.
    """
    limits = {key("source", get_ip(request)): SOURCE_LIMIT, key("target", target): TARGET_LIMIT}
    return list(limits) if all(_count(*each) for each in limits.items()) else None


def uncount(keys: Iterable[str]) -> None:
    """Uncount a guess that was right; counts of others stay."""
    GuessCount.objects.filter(key__in=list(keys), guesses__gt=0).update(guesses=F("guesses") - 1)


def reset(target: str) -> None:
    """Reset the count of a target, after its password was reset."""
    GuessCount.objects.filter(key=key("target", target)).delete()


def key(kind: str, name: str) -> str:
    """A row's key: an HMAC, so that the table holds no addresses and nothing that was typed."""
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
