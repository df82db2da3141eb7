"""The same form, sent twice, acts once: the desk at which every deed asks for its key.

A form carries a key of its own. What came of it is written down in the transaction that did it, so
there is no moment at which one is there without the other. The same key with the same form is
answered as the first time, for 30 days; with another form it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from games.relay.models import Answer
from games.relay.moment import now

KEPT = timedelta(days=30)
PAGE = 1000  # rows forgotten by one statement
WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{16,64}")


class UsedOtherwise(Exception):  # noqa: N818 -- it is the sender who erred.
    """The key was sent before, with another form."""


class AnsweredMeanwhile(Exception):  # noqa: N818 -- nothing went wrong.
    """The same was sent at the same time and came first; what was done here is undone."""


@dataclass
class Slip:
    """A form on its way through: whose it is, under which key, and a digest of what it says."""

    user_id: int
    key: str
    asked: bytes
    deed: transaction.Atomic | None = None  # open from the first deed to the answer
    void: bool = False  # it came to nothing, so nothing is to be written down as its answer


_current: ContextVar[Slip | None] = ContextVar("slip", default=None)


def new_key() -> str:
    """A key for a form that is being written: 128 random bits."""
    return token_hex(16)


def slip(user_id: int, key: str, said: str) -> Slip:
    """The slip of a form that says `said`. Set-ups are said in forms, so the digest is keyed."""
    digest = salted_hmac("games.relay.once", f"{user_id} {key} {said}", algorithm="sha256")
    return Slip(user_id, key, digest.digest())


def earlier(given: Slip) -> Answer | None:
    """The answer that this form had before, if it had one; raises UsedOtherwise."""
    answer = Answer.objects.filter(user=given.user_id, key=given.key).first()
    if answer is not None and bytes(answer.asked) != given.asked:
        raise UsedOtherwise
    return answer


@contextmanager
def under(given: Slip) -> Iterator[None]:
    """Within the block, what the first deed begins is not over until `settle`.

    Left without, by an exception or because there was nothing to answer, it ends as any block does.
    """
    token = _current.set(given)
    try:
        yield
    except BaseException as error:
        _close(given, error)
        raise
    else:
        _close(given)
    finally:
        _current.reset(token)


def settle(given: Slip, status: int, location: str) -> None:
    """Write down the answer, and end what was begun; raises AnsweredMeanwhile."""
    answer = Answer(
        user_id=given.user_id,
        key=given.key,
        asked=given.asked,
        status=status,
        location=location,
        at=now(),
    )
    try:
        with transaction.atomic(savepoint=False):
            answer.save(force_insert=True)
    except IntegrityError:
        # Leaving with this exception takes back what the deed has done.
        raise AnsweredMeanwhile from None


def undo(error: Exception) -> None:
    """Take back what was done under the slip that is open, if one is: its form came to nothing."""
    given = _current.get()
    if given is not None:
        given.void = True
        _close(given, error)


@contextmanager
def deed() -> Iterator[None]:
    """One transaction, done whole or not at all; under a slip, together with its answer."""
    given = _current.get()
    if given is None or given.deed is not None:
        with transaction.atomic():
            yield
        return
    given.deed = transaction.atomic()
    given.deed.__enter__()
    try:
        yield
    except BaseException as error:
        # What comes to nothing is over at once; a page that says why needs no transaction.
        _close(given, error)
        raise


def _close(given: Slip, error: BaseException | None = None) -> None:
    """End what was begun: well, or with nothing done where there is an error."""
    begun, given.deed = given.deed, None
    if begun is not None:
        begun.__exit__(type(error) if error else None, error, None)


def tidy() -> int:
    """Forget the answers of more than 30 days ago; the number of rows."""
    horizon = now() - KEPT
    forgotten = 0
    # The oldest rows have the lowest keys, so no index on the date is needed to find them.
    while True:
        oldest = Answer.objects.order_by("pk").values("pk")[:PAGE]
        count, _ = Answer.objects.filter(pk__in=oldest, at__lt=horizon).delete()
        if not count:
            return forgotten
        forgotten += count
