"""Signals by which the clocks ask the rooms above, which they do not know.

Whoever receives what players send otherwise than by the pages answers them.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.dispatch import Signal

# Who has sent something that nobody has read yet? Receivers return when the first of it arrived,
# by user. Arguments: user_ids.
unread_wanted = Signal()
# Can it be sent at all? Receivers return False if not, None if that is no concern of theirs.
doors_asked = Signal()


def first_unread(user_ids: Collection[int]) -> dict[int, datetime]:
    """Of these users, those with something unread, and when the first of it arrived."""
    found: dict[int, datetime] = {}
    if user_ids:
        answers: Any = unread_wanted.send(sender=None, user_ids=user_ids)
        for _receiver, answer in answers:
            for user_id, at in answer.items():
                found[user_id] = min(at, found.get(user_id, at))
    return found


def doors_are_open() -> bool:
    """Whether all other ways by which players send what they do are open."""
    answers: Any = doors_asked.send(sender=None)
    return all(answer is not False for _receiver, answer in answers)
