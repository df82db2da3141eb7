"""Idempotency keys that clients of the API make: the first response is stored and replayed.

The response is stored in the transaction of its change, as that to a form (replay.py). For 24
hours, the same request with the same key gets the same response, byte for byte. A key belongs to
the account, whichever token it came with. A request that was refused has changed nothing and uses
up no key.

Clients choose these keys, so their age cannot be read from them: a key that was forgotten may act
again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import HttpResponse
from django.utils.crypto import salted_hmac

from games.idempotency import replay
from games.idempotency.models import StoredApiResponse
from games.idempotency.replay import DuplicateInProgress, IdempotencyKey, KeyReused
from lib.database.prepared_inserts import PreparedInsert
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import frozen_time, now

if TYPE_CHECKING:
    from accounts.models import User

KEY_PATTERN = re.compile(r"[0-9A-Za-z_-]{8,64}")
LIFETIME = timedelta(hours=24)
MAX_RESPONSES = 1000  # per account
FORGET_EVERY = 64  # stored responses, between two checks of this limit
REPLAYED = "Idempotency-Replayed"  # a header of a replayed response


class NotAKey(Exception):  # noqa: N818 -- the sender erred.
    """The text is no key: 8 to 64 letters, digits, hyphens and underscores."""


@dataclass
class ClientKey(IdempotencyKey):
    """The key of a request that is being processed."""

    older_digests: tuple[bytes, ...] = ()  # by secrets that are still accepted


def key_for(user_id: int, key: str, path: str, body: Any) -> ClientKey:
    """The key of a request with this path and body, which is parsed JSON; raises NotAKey.

    Bodies are compared as JSON: neither blanks nor the order of members matter.
    """
    if not KEY_PATTERN.fullmatch(key):
        raise NotAKey
    content = json.dumps([user_id, key, path, body], sort_keys=True)
    digest, *older = _digests(content)
    return ClientKey(user_id, key, digest, older_digests=tuple(older))


def respond(current: ClientKey, act: Callable[[], HttpResponse]) -> HttpResponse:
    """The stored response to a request, or that of `act`, which is stored with its change.

    `act` raises an exception for a refusal, which is stored nowhere. Raises KeyReused if the key
    came with another path or body.
    """
    stored = _replayed(current)
    if stored is not None:
        return stored
    try:
        with replay.in_progress(current):
            response = act()
            _store(current, response)
            return response
    except DuplicateInProgress:
        return _replayed(current) or respond(current, act)
    except Exception:
        # The refusal may be due to a duplicate that acted after the first look-up.
        stored = _replayed(current)
        if stored is None:
            raise
        return stored


def forget_name(user: User) -> None:
    """Delete the responses to others that name an erased user."""
    for is_ascii in (True, False):
        name = json.dumps(user.username, ensure_ascii=is_ascii)
        StoredApiResponse.objects.filter(body__contains=name).delete()


def _digests(content: str) -> Iterator[bytes]:
    """Keyed digests, since bodies hold set-ups; by the present secret, then by its fallbacks."""
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        mac = salted_hmac("games.idempotency.client_keys", content, secret, algorithm="sha256")
        yield mac.digest()


def _replayed(current: ClientKey) -> HttpResponse | None:
    """The stored response to a request, or None; raises KeyReused."""
    for number, at, digest, status, content_type, location, body in _stored(
        user_id=current.user_id, key=current.key
    ):
        if at <= now() - LIFETIME:
            # It is about to be deleted by retention; until then it must not block its key.
            StoredApiResponse.objects.filter(pk=number).delete()
            return None
        if bytes(digest) not in (current.digest, *current.older_digests):
            raise KeyReused
        headers = {REPLAYED: "true"}
        if location:
            headers["Location"] = location
        return HttpResponse(body, status=status, content_type=content_type, headers=headers)
    return None


@PreparedQuery
def _stored(user_id: int, key: str) -> QuerySet[Any, Any]:
    return StoredApiResponse.objects.filter(user=user_id, key=key).values_list(
        "pk", "at", "digest", "status", "content_type", "location", "body"
    )


_insert = PreparedInsert(StoredApiResponse, at=Now())


def _store(current: ClientKey, response: HttpResponse) -> None:
    """Store a response in the open transaction; raises DuplicateInProgress."""
    row = StoredApiResponse(
        user_id=current.user_id,
        key=current.key,
        digest=current.digest,
        status=response.status_code,
        content_type=response["Content-Type"],
        location=response.get("Location", ""),
        body=response.content.decode(),
        at=frozen_time(),
    )
    try:
        number = _insert.insert_row(row)
    except IntegrityError:
        # Leaving with this exception rolls the change back.
        raise DuplicateInProgress from None
    if number % FORGET_EVERY == 0:
        _forget_oldest(current.user_id)


def _forget_oldest(user_id: int) -> None:
    """Delete an account's responses beyond MAX_RESPONSES."""
    responses = StoredApiResponse.objects.filter(user=user_id)
    ids = responses.order_by("-pk").values_list("pk", flat=True)
    newest_too_many = ids[MAX_RESPONSES : MAX_RESPONSES + 1].first()
    if newest_too_many is not None:
        responses.filter(pk__lte=newest_too_many).delete()
