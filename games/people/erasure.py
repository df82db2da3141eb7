"""What people know of an account is deleted when it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from games.people.models import Block, Reliability

if TYPE_CHECKING:
    from accounts.models import User


def erase_player(user: User) -> None:
    """Delete the blocks of an erased user and those against them, and their reliability."""
    Block.objects.filter(Q(owner=user) | Q(blocked=user)).delete()
    Reliability.objects.filter(user=user).delete()
