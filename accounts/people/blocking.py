"""Blocking an account by staff: it and its bots are signed out and can do nothing any more."""

from collections.abc import Collection

from django.db import transaction

from accounts import ports
from accounts.models import User
from accounts.user_sessions import listing


@transaction.atomic
def block(user: User) -> list[int]:
    """Block a user and their bots, end their sessions and revoke their tokens. Idempotent.

    Returns the ids of those who were not blocked before.
    """
    blocked = []
    for one in (user, *user.bots.order_by("pk")):
        if one.is_active:
            blocked.append(one.pk)
        one.is_active = False
        one.save(update_fields=["is_active"])
        listing.end_all(one)
        for end in ports.on_blocking:
            end(one)
    return blocked


@transaction.atomic
def unblock(user: User, only: Collection[int] | None = None) -> None:
    """Unblock a user and their bots, or those of them in `only`. Idempotent."""
    for one in (user, *user.bots.order_by("pk")):
        if only is not None and one.pk not in only:
            continue
        one.is_active = True
        one.save(update_fields=["is_active"])
