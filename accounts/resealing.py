"""Resealing: second factors and sessions are resealed with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import Session
from accounts.user_sessions.store import PURPOSE
from lib.batches import batches
from lib.sealing import BrokenSealError, seal, unseal

# By the type of an authenticator: the field of its data that is encrypted.
ENCRYPTED = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal batch by batch; yields the table, the rows read, and how many were resealed.

    A session that changes meanwhile is skipped, since it was written with the first key.
    """
    yield from _reseal_factors()
    yield from _reseal_sessions()


def _reseal_factors() -> Iterator[tuple[str, int, int]]:
    for batch in batches(Authenticator.objects.filter(type__in=ENCRYPTED)):
        yield "second factors", len(batch), sum(map(_reseal_factor, batch))


def _reseal_factor(factor: Authenticator) -> int:
    """Reseal a factor; returns 1, or 0 if it was removed. Concurrent changes of its data stay."""
    adapter, field = get_adapter(), ENCRYPTED[Authenticator.Type(factor.type)]
    with transaction.atomic():
        locked = Authenticator.objects.select_for_update().filter(pk=factor.pk).first()
        if locked is None:
            return 0
        resealed = adapter.encrypt(adapter.decrypt(locked.data[field]))
        locked.data = {**locked.data, field: resealed}
        locked.save(update_fields=["data"])
        return 1


def _reseal_sessions() -> Iterator[tuple[str, int, int]]:
    for batch in batches(Session.objects.all()):
        done = 0
        for session in batch:
            key, sealed = session.session_key, session.session_data
            try:
                resealed = seal(unseal(sealed, PURPOSE, key), PURPOSE, key)
            except BrokenSealError:
                continue  # nobody can use it any more
            unchanged = Session.objects.filter(session_key=key, session_data=sealed)
            done += unchanged.update(session_data=resealed)
        yield "sessions", len(batch), done
