"""VERP: an envelope sender for each reader, so that a bounce tells whose e-mail it was.

It holds for one person at one address, and needs no table: whoever changes the address leaves the
bounces of the old one behind.
"""

import re

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

LOCAL_PART = re.compile(r"b\+([0-9]{1,18})\.([0-9a-f]{26})")


def sender(reader: User) -> str:
    """The address from which the envelope of an e-mail comes."""
    if not settings.BOUNCES:
        return settings.DEFAULT_FROM_EMAIL
    return f"b+{reader.pk}.{_tag(reader)}@{settings.MAIL_DOMAIN}"


def of_nobody() -> str:
    """A sender of the same form as that of a reader's e-mail, to which nobody's bounces come."""
    if not settings.BOUNCES:
        return settings.DEFAULT_FROM_EMAIL
    return f"b+0.{'0' * 26}@{settings.MAIL_DOMAIN}"


def read(envelope_to: str) -> User | None:
    """Whose e-mail came back to this address; None if it is no such address, or an old one."""
    local, _at, _domain = envelope_to.strip().strip("<>").rpartition("@")
    found = LOCAL_PART.fullmatch(local.lower())
    reader = User.objects.filter(pk=found[1]).first() if found else None
    if found is None or reader is None or not reader.email:
        return None
    return reader if constant_time_compare(found[2], _tag(reader)) else None


def _tag(reader: User) -> str:
    mac = salted_hmac(
        "games.notifications.email.verp",
        f"{reader.pk} {reader.email}",
        algorithm="sha256",
    )
    return mac.hexdigest()[:26]
