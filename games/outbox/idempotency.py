"""Idempotency keys for forms: the first response is stored and replayed.

A form carries a key of its own. Its response is stored in the transaction of the change that it
made, so neither is ever there without the other. The same key with the same form is answered as the
first time, for 30 days; with another form it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from games.outbox.db_clock import now
from games.outbox.models import StoredResponse

RETENTION = timedelta(days=30)
DELETE_BATCH_ROWS = 1000
KEY_PATTERN = re.compile(r"[A-Za-z0-9_-]{16,64}")


class KeyReused(Exception):  # noqa: N818 -- the sender erred.
    """The key was sent before, with another form."""


class DuplicateInProgress(Exception):  # noqa: N818 -- nothing went wrong.
    """The same form was sent at the same time and came first; what was done here is undone."""


@dataclass
class IdempotencyKey:
    """The key of a form that is being handled."""

    user_id: int
    key: str
    digest: bytes  # of what the form says
    transaction: ExitStack | None = None  # open from the first command until the response is stored
    rolled_back: bool = False  # the form changed nothing, so no response is stored


_current: ContextVar[IdempotencyKey | None] = ContextVar("idempotency_key", default=None)


def new_key() -> str:
    """A key for a form that is being written: 128 random bits."""
    return token_hex(16)


def key_for(user_id: int, key: str, content: str) -> IdempotencyKey:
    """The key of a form that says `content`; its digest is keyed, since forms hold set-ups."""
    digest = salted_hmac(
        "games.outbox.idempotency", f"{user_id} {key} {content}", algorithm="sha256"
    )
    return IdempotencyKey(user_id, key, digest.digest())


def stored_response(current: IdempotencyKey) -> StoredResponse | None:
    """The response that this form had before, if it had one; raises KeyReused."""
    stored = StoredResponse.objects.filter(user=current.user_id, key=current.key).first()
    if stored is not None and bytes(stored.digest) != current.digest:
        raise KeyReused
    return stored


@contextmanager
def in_progress(current: IdempotencyKey) -> Iterator[None]:
    """Within the block, the first command's transaction stays open until `store_response`.

    Left by an exception, it is rolled back; left without a response to store, it is committed.
    """
    token = _current.set(current)
    try:
        yield
    except BaseException as error:
        _close(current, error)
        raise
    else:
        _close(current)
    finally:
        _current.reset(token)


def store_response(current: IdempotencyKey, status: int, location: str) -> None:
    """Store the response in the transaction that is open; raises DuplicateInProgress."""
    response = StoredResponse(
        user_id=current.user_id,
        key=current.key,
        digest=current.digest,
        status=status,
        location=location,
        at=now(),
    )
    try:
        with transaction.atomic(savepoint=False):
            response.save(force_insert=True)
    except IntegrityError:
        # Leaving with this exception rolls the change back.
        raise DuplicateInProgress from None


def roll_back(error: Exception) -> None:
    """Undo what the form in progress has changed, if one is in progress."""
    current = _current.get()
    if current is not None:
        current.rolled_back = True
        _close(current, error)


@contextmanager
def command_transaction() -> Iterator[None]:
    """One transaction; while a form with a key is in progress, the one of its response as well."""
    current = _current.get()
    if current is None or current.transaction is not None:
        with transaction.atomic():
            yield
        return
    current.transaction = ExitStack()
    current.transaction.enter_context(transaction.atomic())
    try:
        yield
    except BaseException as error:
        # A page that only says why nothing was changed needs no transaction.
        _close(current, error)
        raise


def _close(current: IdempotencyKey, error: BaseException | None = None) -> None:
    """Commit what is open, or roll it back where there is an error."""
    stack, current.transaction = current.transaction, None
    if stack is not None:
        stack.__exit__(type(error) if error else None, error, None)


def delete_expired() -> int:
    """Delete responses older than 30 days; the number of rows."""
    horizon = now() - RETENTION
    deleted = 0
    # The oldest rows have the lowest keys, so no index on the date is needed to find them.
    while True:
        oldest = StoredResponse.objects.order_by("pk").values("pk")[:DELETE_BATCH_ROWS]
        count, _ = StoredResponse.objects.filter(pk__in=oldest, at__lt=horizon).delete()
        if not count:
            return deleted
        deleted += count
