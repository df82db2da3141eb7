"""Sessions of a user: recording visits, listing, and ending one, all others, or all."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from time import time
from typing import Any

from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Session, User
from accounts.tokens import revoking
from accounts.user_sessions.store import SIGNED_IN, SessionStore, row_key
from accounts.user_sessions.user_agents import in_words
from lib.exports.files import instant

# Keys in the session: when it was last used, from which address and by which browser.
SEEN, ADDRESS, BROWSER = "seen", "address", "browser"
SEEN_EVERY_SECONDS = 600
MAX_BROWSER_CHARACTERS = 200


@dataclass
class OpenSession:
    """A line of the list of sessions."""

    pk: int
    signed_in_at: datetime
    seen_at: datetime
    address: str
    browser: str  # with its system, such as "Firefox on Linux"
    is_current: bool


def note_visit(request: HttpRequest) -> None:
    """Record when and from where the session is used; this also renews its cookie."""
    request.session[SEEN] = int(time())
    request.session[ADDRESS] = get_client_ip(request) or ""
    browser = request.headers.get("User-Agent", "")
    request.session[BROWSER] = browser[:MAX_BROWSER_CHARACTERS]


def is_visit_due(request: HttpRequest) -> bool:
    """Whether the last recorded visit is older than SEEN_EVERY_SECONDS."""
    seen: float = request.session.get(SEEN, 0)
    return time() - seen > SEEN_EVERY_SECONDS


def list_open(request: HttpRequest) -> list[OpenSession]:
    """The sessions of the request's user, the oldest log-in first."""
    current = row_key(request.session.session_key or "")
    return sorted(_open(request.user.pk, current), key=lambda line: line.signed_in_at)


def _open(user_id: int | None, current: str) -> Iterator[OpenSession]:
    store = SessionStore()
    for row in Session.objects.filter(user=user_id, expire_date__gt=timezone.now()):
        data = store.read(row.session_data, row.session_key)
        if data is not None:
            yield OpenSession(
                row.pk,
                _instant(data[SIGNED_IN]),
                _instant(data.get(SEEN, data[SIGNED_IN])),
                data.get(ADDRESS, ""),
                in_words(data.get(BROWSER, "")),
                row.session_key == current,
            )


def records(user: User) -> Iterator[dict[str, str | None]]:
    """The sessions of a user as they are stored, without keys and other contents."""
    store = SessionStore()
    open_sessions = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    for row in open_sessions.order_by("pk"):
        data = store.read(row.session_data, row.session_key)
        if data is not None:
            yield {
                "signed_in_at": instant(_instant(data[SIGNED_IN])),
                "seen_at": instant(_instant(data.get(SEEN, data[SIGNED_IN]))),
                "expires_at": instant(row.expire_date),
                "address": data.get(ADDRESS, ""),
                "browser": data.get(BROWSER, ""),
            }


def _instant(seconds: Any) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def end_one(user: User, pk: int) -> bool:
    """End a session of the user by its primary key; False if they have no such session."""
    return bool(Session.objects.filter(user=user, pk=pk).delete()[0])


def end_others(user: User, request: HttpRequest) -> int:
    """End all sessions of the user except the request's; returns their number."""
    others = Session.objects.filter(user=user)
    return others.exclude(session_key=row_key(request.session.session_key or "")).delete()[0]


def end_all(user: User) -> int:
    """End all sessions of the user and revoke their tokens; returns the number of sessions."""
    revoking.revoke_all(user)
    return Session.objects.filter(user=user).delete()[0]
