"""VERP: an envelope sender for each reader, which identifies the reader of a bounce.

It is signed for one user and one e-mail address, so it needs no table, and bounces of a former
address are ignored.
"""

import re

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

LOCAL_PART = re.compile(r"b\+([0-9]{1,18})\.([0-9a-f]{26})")


def sender(reader: User) -> str:
    """The envelope sender of e-mails to this reader."""
    if not settings.BOUNCES:
        return settings.DEFAULT_FROM_EMAIL
    return f"b+{reader.pk}.{_tag(reader)}@{settings.MAIL_DOMAIN}"


def sender_without_reader() -> str:
    """An envelope sender of the same form that belongs to no reader."""
    if not settings.BOUNCES:
        return settings.DEFAULT_FROM_EMAIL
    return f"b+0.{'0' * 26}@{settings.MAIL_DOMAIN}"


def read(envelope_to: str) -> User | None:
    """The reader whose e-mail bounced to this address; None if it is invalid or outdated."""
    local, _at, _domain = envelope_to.strip().strip("<>").rpartition("@")
    match = LOCAL_PART.fullmatch(local.lower())
    reader = User.objects.filter(pk=match[1]).first() if match else None
    if match is None or reader is None or not reader.email:
        return None
    return reader if constant_time_compare(match[2], _tag(reader)) else None


def _tag(reader: User) -> str:
    mac = salted_hmac(
        "games.notifications.email.verp",
        f"{reader.pk} {reader.email}",
        algorithm="sha256",
    )
    return mac.hexdigest()[:26]
