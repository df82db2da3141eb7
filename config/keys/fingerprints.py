"""Fingerprints of SEAL_KEYS in the database: no process starts without a key that it needs.

A missing key must not be silently replaced by a new one: everything that was sealed would be lost,
and pages would fail one by one.
"""

from functools import cache
from hashlib import scrypt

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.models import KeyFingerprint


@cache
def fingerprint(key: str) -> str:
    """16 hexadecimal digits that identify a key; slow to compute, so that guessing is costly."""
    return scrypt(key.encode(), salt=b"estafette/fingerprint", n=2**13, r=8, p=1, dklen=8).hex()


def stored() -> set[str]:
    """The fingerprints of all keys that may have sealed something in the database."""
    if KeyFingerprint._meta.db_table not in connection.introspection.table_names():
        return set()
    return set(KeyFingerprint.objects.values_list("fingerprint", flat=True))


def require_known_keys() -> None:
    """Raise ImproperlyConfigured if SEAL_KEYS lacks a stored key; store a new first key."""
    given = [fingerprint(str(key)) for key in settings.SEAL_KEYS]
    if lost := stored() - set(given):
        raise ImproperlyConfigured(
            f"The database was sealed with a key that SEAL_KEYS does not hold (fingerprint "
            f"{', '.join(sorted(lost))}; given {', '.join(given)}). Add it again, after the new "
            "one if there is a new one; docs/running/keys.md says how to change a key."
        )
    KeyFingerprint.objects.get_or_create(fingerprint=given[0])


def refuse_new_key(path: object) -> None:
    """Raise ImproperlyConfigured if the database was sealed with a key: a new one is no use."""
    if lost := stored():
        raise ImproperlyConfigured(
            f"SEAL_KEYS is not in the environment and {path} does not exist, but the database was "
            f"sealed with a key (fingerprint {', '.join(sorted(lost))}). Restore that key from "
            "where it is kept. A new key could not open any match, so none is created."
        )


def forget_others() -> None:
    """Keep the first key's fingerprint only; call it once everything is resealed."""
    first = fingerprint(str(settings.SEAL_KEYS[0]))
    KeyFingerprint.objects.exclude(fingerprint=first).delete()
