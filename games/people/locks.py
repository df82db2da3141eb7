"""The locks on the rows of players, always in the same order."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import User


def lock_users(user_ids: Iterable[int]) -> dict[int, User]:
    """Lock the rows of users until the end of the transaction; returns them as they are now.

    By id, so that no two transactions wait for each other. Rows of invitations, ladders and new
    matches are locked after them, as the erasure of an account does.
    """
    rows = User.objects.filter(pk__in=set(user_ids)).order_by("pk")
    return {user.pk: user for user in rows.select_for_update(no_key=True)}
