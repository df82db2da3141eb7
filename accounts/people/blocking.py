"""Blocking an account by staff: it and its bots are signed out and can do nothing any more."""

from django.db import transaction

from accounts import ports
from accounts.models import User
from accounts.user_sessions import listing


@transaction.atomic
def block(user: User) -> None:
    """Block a user and their bots, end their sessions and revoke their tokens. Idempotent."""
    for one in (user, *user.bots.order_by("pk")):
        one.is_active = False
        one.save(update_fields=["is_active"])
        listing.end_all(one)
        for end in ports.on_blocking:
            end(one)


@transaction.atomic
def unblock(user: User) -> None:
    """Unblock a user and their bots. Idempotent."""
    for one in (user, *user.bots.order_by("pk")):
        one.is_active = True
        one.save(update_fields=["is_active"])
