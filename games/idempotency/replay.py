"""Idempotency keys for forms: the first response is stored and replayed.

Keys that clients of the API make are in client_keys.py; they use the same transaction.

Each form has its own key. Its response is stored in the same transaction as its change, so neither
exists without the other. For 3 days, the same form with the same key gets the same response; a
different form with that key is refused.

Keys are issued by games/idempotency/signed_keys.py, and stored without their signature. They begin
with the time of issue, so the unique index lists a user's keys in that order. At most MAX_RESPONSES
are kept per user: when older ones are deleted, the newest of those becomes a marker. A key older
than a marker may have acted before, so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from games.idempotency import signed_keys
from games.idempotency.models import FORGOTTEN, StoredResponse
from lib.database.prepared_inserts import PreparedInsert
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import frozen_time

if TYPE_CHECKING:
    from accounts.models import User

MAX_RESPONSES = 1000  # per user
FORGET_EVERY = 64  # stored responses, between two checks of this limit
DIGEST_BYTES = 16


class KeyReused(Exception):  # noqa: N818 -- the sender erred.
    """The key was sent before with a different form."""


class KeyOutdated(Exception):  # noqa: N818 -- nothing went wrong.
    """The key is so old that its response may have been deleted."""


class DuplicateInProgress(Exception):  # noqa: N818 -- nothing went wrong.
    """The same request was sent at the same time and acted first; this one is rolled back."""


@dataclass
class IdempotencyKey:
    """The key of a request that is being processed, and the state of its transaction."""

    user_id: int
    key: str
    digest: bytes  # of the request's content
    is_outdated: bool = False  # too old to act; a stored response is still replayed
    transaction: ExitStack | None = None  # open from the first command until the response is stored
    rolled_back: bool = False  # the request changed nothing, so no response is stored


_current: ContextVar[IdempotencyKey | None] = ContextVar("idempotency_key", default=None)


def new_key(user: AbstractBaseUser | int) -> str:
    """A new key for a form of this user, or for a channel that fills in forms itself."""
    return signed_keys.issue(user if isinstance(user, int) else user.pk)


def key_for(user_id: int, key: str, content: str) -> IdempotencyKey:
    """Check the key of a form with this content; raises NotIssued.

    The digest is keyed, since forms hold set-ups. It uses the secret that signed the key, so that
    it stays the same while an old SECRET_KEY is a fallback.
    """
    issued = signed_keys.read(key, user_id)
    text = f"{user_id} {key} {content}"
    digest = salted_hmac("games.outbox.idempotency", text, issued.secret, algorithm="sha256")
    return IdempotencyKey(user_id, key, digest.digest()[:DIGEST_BYTES], issued.is_outdated)


class Redirect(NamedTuple):
    """The response to a form."""

    status: int
    location: str


def stored_response(current: IdempotencyKey) -> Redirect | None:
    """The stored response to this form, or None if there is none.

    Raises KeyReused for another form, KeyOutdated if a response may have been deleted.
    """
    wanted = signed_keys.unsigned(current.key)
    for key, digest, status, location in _following(user_id=current.user_id, key=wanted):
        if status == FORGOTTEN:
            raise KeyOutdated
        # An older version stored the key's signature as well, and the whole digest.
        if key.startswith(wanted):
            if bytes(digest[:DIGEST_BYTES]) != current.digest:
                raise KeyReused
            return Redirect(status, location)
    if current.is_outdated:
        raise KeyOutdated
    return None


@PreparedQuery
def _following(user_id: int, key: str) -> QuerySet[Any, Any]:
    """The row of the key or, if it has not acted, the next one, which may be a marker."""
    following = StoredResponse.objects.filter(user=user_id, key__gte=key).order_by("key")[:1]
    return following.values_list("key", "digest", "status", "location")


@contextmanager
def in_progress(current: IdempotencyKey) -> Iterator[None]:
    """Keep the first command's transaction open until the end of the block.

    So `store_response` is part of it. An exception rolls it back; otherwise it is committed.
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


_insert = PreparedInsert(StoredResponse, at=Now())


def store_response(current: IdempotencyKey, status: int, location: str) -> None:
    """Store the response in the open transaction; raises DuplicateInProgress."""
    response = StoredResponse(
        user_id=current.user_id,
        key=signed_keys.unsigned(current.key),
        digest=current.digest,
        status=status,
        location=location,
        at=frozen_time(),
    )
    try:
        number = _insert.insert_row(response)
    except IntegrityError:
        # Leaving with this exception rolls the change back.
        raise DuplicateInProgress from None
    if number % FORGET_EVERY == 0:
        _forget_oldest(current.user_id)


def _forget_oldest(user_id: int) -> None:
    """Delete this user's responses beyond MAX_RESPONSES, and leave a marker."""
    responses = StoredResponse.objects.filter(user=user_id)
    marker = responses.order_by("-key")[MAX_RESPONSES : MAX_RESPONSES + 1].first()
    if marker is not None:
        responses.filter(key__lt=marker.key).delete()
        responses.filter(pk=marker.pk).update(status=FORGOTTEN, location="", digest=b"")


def forget_name(user: User) -> None:
    """Remove the name of an erased user from the stored responses of others.

    The forms lead to the front page then. Reads the whole table, which is worth no index: accounts
    are erased rarely.
    """
    name = quote(user.username)
    StoredResponse.objects.filter(location__icontains=f"/{name}/").update(location="/")


def roll_back(error: Exception) -> None:
    """Roll back the changes of the request in progress, if there is one."""
    current = _current.get()
    if current is not None:
        current.rolled_back = True
        _close(current, error)


@contextmanager
def command_transaction() -> Iterator[None]:
    """A transaction; for a request with a key, it stays open until the response is stored."""
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
        # The page that explains the refusal needs no transaction.
        _close(current, error)
        raise


def _close(current: IdempotencyKey, error: BaseException | None = None) -> None:
    """Commit the open transaction, if any, or roll it back after an error."""
    stack, current.transaction = current.transaction, None
    if stack is not None:
        stack.__exit__(type(error) if error else None, error, None)
