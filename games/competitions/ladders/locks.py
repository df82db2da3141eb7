"""The locks under which ladders change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.competitions.ladders.models import Ladder
from games.people.locks import lock_users


def locked(users: Iterable[int], **which: Any) -> Ladder:
    """A ladder, locked until the end of the transaction; raises Ladder.DoesNotExist.

    The users concerned are locked first, by id, as the erasure of an account locks its user before
    the ladder. So no two transactions wait for each other.
    """
    lock_users(users)
    ladder: Ladder = Ladder.objects.select_for_update().get(**which)
    return ladder
