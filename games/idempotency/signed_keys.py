"""Signed idempotency keys: a key counts if it was issued here, to this user, within 30 days.

No table is needed for that: a key says when it was issued and is signed with SECRET_KEY (HMAC). So
whoever makes keys up has nothing stored.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from lib.db_clock import unless_frozen

LIFETIME = timedelta(days=30)

SECONDS_DIGITS = 8  # hexadecimal, of the seconds since 1970; they come first
NONCE_BYTES = 8
TAG_DIGITS = 32  # 128 bits of the HMAC
KEY_PATTERN = re.compile(rf"[0-9a-f]{{{SECONDS_DIGITS + 2 * NONCE_BYTES + TAG_DIGITS}}}")


class NotIssued(Exception):  # noqa: N818 -- the sender erred.
    """The key was made up, issued to another user, or signed with a SECRET_KEY that is gone."""


@dataclass(frozen=True)
class IssuedKey:
    """What a valid key says, and the secret that has signed it."""

    secret: str
    is_outdated: bool

    def __repr__(self) -> str:
        return "<IssuedKey>"


def issue(user_id: int) -> str:
    """A key for a form of this user."""
    seconds = int(_present().timestamp())
    said = f"{seconds:0{SECONDS_DIGITS}x}{token_hex(NONCE_BYTES)}"
    return said + _tag(said, user_id, settings.SECRET_KEY)


def read(key: str, user_id: int) -> IssuedKey:
    """Check the key's signature; raises NotIssued."""
    if not KEY_PATTERN.fullmatch(key):
        raise NotIssued
    said, tag = key[:-TAG_DIGITS], key[-TAG_DIGITS:]
    for secret in _secrets():
        if constant_time_compare(tag, _tag(said, user_id, secret)):
            issued_at = datetime.fromtimestamp(int(said[:SECONDS_DIGITS], 16), UTC)
            return IssuedKey(secret, is_outdated=_present() - issued_at > LIFETIME)
    raise NotIssued


def _present() -> datetime:
    # Not the database's clock: a page would pay a query for it, and here a minute is nothing.
    return unless_frozen(datetime.now(UTC))


def _tag(said: str, user_id: int, secret: str) -> str:
    text = f"{user_id} {said}"
    made = salted_hmac("games.outbox.issued_keys", text, secret, algorithm="sha256")
    return made.hexdigest()[:TAG_DIGITS]


def _secrets() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS
