"""Idempotency keys for forms: the first response is stored and replayed.

A form carries a key of its own. Its response is stored in the transaction of the change that it
made, so neither is ever there without the other. The same key with the same form is answered as the
first time, for 30 days; with another form it is refused.

Keys are issued by games/idempotency/signed_keys.py. They begin with the second in which they were
issued, so that the index that makes them unique also has those of a person in that order. Of one
person no more than MAX_RESPONSES are kept: where older ones were forgotten, the newest of those
stays as a marker. A key from before a marker may have acted, so it does not act any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from games.idempotency import signed_keys
from games.idempotency.models import FORGOTTEN, StoredResponse
from lib.db_clock import now

MAX_RESPONSES = 1000  # of one person
FORGET_EVERY = 64  # stored responses; then it is looked whether their person has too many


class KeyReused(Exception):  # noqa: N818 -- the sender erred.
    """The key was sent before, with another form."""


class KeyOutdated(Exception):  # noqa: N818 -- nothing went wrong.
    """The form was open for so long that it may have acted and been forgotten."""


class DuplicateInProgress(Exception):  # noqa: N818 -- nothing went wrong.
    """The same form was sent at the same time and came first; what was done here is undone."""


@dataclass
class IdempotencyKey:
    """The key of a form that is being handled."""

    user_id: int
    key: str
    digest: bytes  # of what the form says
    is_outdated: bool = False  # too old to act, but perhaps it has acted before
    transaction: ExitStack | None = None  # open from the first command until the response is stored
    rolled_back: bool = False  # the form changed nothing, so no response is stored


_current: ContextVar[IdempotencyKey | None] = ContextVar("idempotency_key", default=None)


def new_key(user: AbstractBaseUser | int) -> str:
    """A key for a form that is being written for this user, or for a channel that makes its own."""
    return signed_keys.issue(user if isinstance(user, int) else user.pk)


def key_for(user_id: int, key: str, content: str) -> IdempotencyKey:
    """The key of a form that says `content`; raises NotIssued.

    The digest is keyed, since forms hold set-ups. It is made with the very secret that has signed
    the key, so that another SECRET_KEY changes no digest while the old one is a fallback.
    """
    issued = signed_keys.read(key, user_id)
    said = f"{user_id} {key} {content}"
    digest = salted_hmac("games.outbox.idempotency", said, issued.secret, algorithm="sha256")
    return IdempotencyKey(user_id, key, digest.digest(), issued.is_outdated)


def stored_response(current: IdempotencyKey) -> StoredResponse | None:
    """The response that this form had before, if it had one; raises KeyReused and KeyOutdated."""
    # With the key itself or, if it has not acted, what follows it: perhaps a marker.
    following = StoredResponse.objects.filter(user=current.user_id, key__gte=current.key)
    stored = following.order_by("key").first()
    if stored is not None and stored.key == current.key and stored.status != FORGOTTEN:
        if bytes(stored.digest) != current.digest:
            raise KeyReused
        return stored
    if current.is_outdated or (stored is not None and stored.status == FORGOTTEN):
        raise KeyOutdated
    return None


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
    if response.pk % FORGET_EVERY == 0:
        _forget_oldest(current.user_id)


def _forget_oldest(user_id: int) -> None:
    """Delete what this person has beyond MAX_RESPONSES; a marker stays for what was deleted."""
    theirs = StoredResponse.objects.filter(user=user_id)
    marker = theirs.order_by("-key")[MAX_RESPONSES : MAX_RESPONSES + 1].first()
    if marker is not None:
        theirs.filter(key__lt=marker.key).delete()
        theirs.filter(pk=marker.pk).update(status=FORGOTTEN, location="", digest=b"")


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
