"""Signed idempotency keys: a key is valid if it was issued to this user within the last 3 days.

A key holds its time of issue and an HMAC with SECRET_KEY, so issued keys need no table, and
invented ones cannot fill one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from lib.db_clock import unless_frozen

# A browser or a person sends a form again within hours. A page that stays open for longer loses
# nothing: its form is shown again with its content and a new key. Each move stores a response, so
# the table grows with this period.
LIFETIME = timedelta(days=3)

SECONDS_DIGITS = 8  # hexadecimal digits of the seconds since 1970, at the beginning
NONCE_BYTES = 8
TAG_DIGITS = 32  # 128 bits of the HMAC
KEY_PATTERN = re.compile(rf"[0-9a-f]{{{SECONDS_DIGITS + 2 * NONCE_BYTES + TAG_DIGITS}}}")


class NotIssued(Exception):  # noqa: N818 -- the sender erred.
    """The key was invented, issued to another user, or signed with a removed SECRET_KEY."""


@dataclass(frozen=True)
class IssuedKey:
    """A valid key: the secret that signed it, and whether it is older than LIFETIME."""

    secret: str
    is_outdated: bool

    def __repr__(self) -> str:
        return "<IssuedKey>"


def issue(user_id: int) -> str:
    """A new key for a form of this user, in lower-case hexadecimal."""
    seconds = int(_now().timestamp())
    content = f"{seconds:0{SECONDS_DIGITS}x}{token_hex(NONCE_BYTES)}"
    return content + _tag(content, user_id, settings.SECRET_KEY)


def unsigned(key: str) -> str:
    """The key without its signature, which is enough to tell a user's keys apart."""
    return key[:-TAG_DIGITS]


def read(key: str, user_id: int) -> IssuedKey:
    """Check the key's signature; raises NotIssued."""
    if not KEY_PATTERN.fullmatch(key):
        raise NotIssued
    content, tag = key[:-TAG_DIGITS], key[-TAG_DIGITS:]
    for secret in _secrets():
        if constant_time_compare(tag, _tag(content, user_id, secret)):
            issued_at = datetime.fromtimestamp(int(content[:SECONDS_DIGITS], 16), UTC)
            return IssuedKey(secret, is_outdated=_now() - issued_at > LIFETIME)
    raise NotIssued


def _now() -> datetime:
    # Not the database's clock: that costs a query, and precision does not matter here.
    return unless_frozen(datetime.now(UTC))


def _tag(content: str, user_id: int, secret: str) -> str:
    text = f"{user_id} {content}"
    mac = salted_hmac("games.outbox.issued_keys", text, secret, algorithm="sha256")
    return mac.hexdigest()[:TAG_DIGITS]


def _secrets() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS
