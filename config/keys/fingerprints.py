"""Fingerprints of SEAL_KEYS: the database knows its keys, and no start goes on without them.

A key that is lost, or was never given to a process, must not be replaced by a new one in silence:
everything that was sealed would be lost, and each page would fail in its own way.
"""

from functools import cache
from hashlib import scrypt

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.models import KeyFingerprint


@cache
def fingerprint(key: str) -> str:
    """16 hexadecimal digits by which a key is known; slow to compute, so that none is guessed."""
    return scrypt(key.encode(), salt=b"estafette/fingerprint", n=2**13, r=8, p=1, dklen=8).hex()


def stored() -> set[str]:
    """The fingerprints of all keys with which something in the database may be sealed."""
    if KeyFingerprint._meta.db_table not in connection.introspection.table_names():
        return set()
    return set(KeyFingerprint.objects.values_list("fingerprint", flat=True))


def insist() -> None:
    """Raise ImproperlyConfigured if SEAL_KEYS lacks a key of the database; note a new first one."""
    given = [fingerprint(str(key)) for key in settings.SEAL_KEYS]
    if lost := stored() - set(given):
        raise ImproperlyConfigured(
            f"The database was sealed with a key that SEAL_KEYS does not hold (fingerprint "
            f"{', '.join(sorted(lost))}; given {', '.join(given)}). Give it back, behind the new "
            "one if there is a new one; docs/running/keys.md says how a key is changed."
        )
    KeyFingerprint.objects.get_or_create(fingerprint=given[0])


def refuse_new_key(path: object) -> None:
    """Raise ImproperlyConfigured where a key would be made for a database that has one."""
    if lost := stored():
        raise ImproperlyConfigured(
            f"There is no SEAL_KEYS in the environment and no {path}, and the database was sealed "
            f"with a key (fingerprint {', '.join(sorted(lost))}). Put it back from where it is "
            "kept. A new one would open no match, so none is made."
        )


def forget_others() -> None:
    """After everything was sealed anew with the first key: the others may go."""
    first = fingerprint(str(settings.SEAL_KEYS[0]))
    KeyFingerprint.objects.exclude(fingerprint=first).delete()
