"""The block list: who does not want to meet whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from games.people.models import Block, Reliability

if TYPE_CHECKING:
    from accounts.models import User

MAX_BLOCKS = 200  # per player


def is_blocked(one: int, other: int) -> bool:
    """Whether either of two users blocks the other."""
    return _between(one).filter(Q(owner=other) | Q(blocked=other)).exists()


def has_blocked(owner: int, other: int) -> bool:
    """Whether `owner` blocks `other`."""
    return Block.objects.filter(owner=owner, blocked=other).exists()


def apart_from(user_id: int | None) -> set[int]:
    """The ids of users whom this user blocks or who block this user; empty for visitors."""
    if user_id is None:
        return set()
    pairs = _between(user_id).values_list("owner", "blocked")
    return {one if other == user_id else other for one, other in pairs}


def erase_person(user: User) -> None:
    """Delete the blocks by an erased user and of them, and their reliability."""
    _between(user.pk).delete()
    Reliability.objects.filter(user=user).delete()


def _between(user_id: int) -> QuerySet[Block]:
    return Block.objects.filter(Q(owner=user_id) | Q(blocked=user_id))
