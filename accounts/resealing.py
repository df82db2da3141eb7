"""Resealing: the secrets of second factors are encrypted anew with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator

BATCH_ROWS = 500
# By the type of an authenticator: the fields of its data that are encrypted.
ENCRYPTED = {
    Authenticator.Type.TOTP: ("secret",),
    Authenticator.Type.RECOVERY_CODES: ("seed", "migrated_codes"),
}


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed.

    One that changes meanwhile is left, since it was written with the first key.
    """
    last = 0
    rows = Authenticator.objects.filter(type__in=ENCRYPTED).order_by("pk")
    while batch := list(rows.filter(pk__gt=last)[:BATCH_ROWS]):
        done = 0
        for authenticator in batch:
            data = {**authenticator.data}
            for name in ENCRYPTED[Authenticator.Type(authenticator.type)]:
                if name in data:
                    data[name] = _anew(data[name])
            same = Authenticator.objects.filter(pk=authenticator.pk, data=authenticator.data)
            done += same.update(data=data)
        last = batch[-1].pk
        yield "second factors", len(batch), done


def _anew(encrypted: str | list[str]) -> str | list[str]:
    if isinstance(encrypted, list):
        return [str(_anew(each)) for each in encrypted]
    adapter = get_adapter()
    return str(adapter.encrypt(adapter.decrypt(encrypted)))
