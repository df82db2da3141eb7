"""Accounts of house opponents: one for each level, made when it is first asked for."""

from collections.abc import Collection
from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.values import usernames
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT

# The easiest first. One account for all games, so that a game that is added has its opponents.
LEVELS = (RECRUIT.name, SERGEANT.name, MARSHAL.name)


def name_of(level: str) -> str:
    """The username of the house opponent of that level."""
    return f"{usernames.HOUSE}{level.capitalize()}"


NAMES = tuple(map(name_of, LEVELS))


def opponent(level: str) -> User:
    """The house opponent of that level; made if it is missing, however many ask at once."""
    found: User | None = User.objects.filter(username=name_of(level)).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            # It is told nothing by any channel.
            made: User = User.objects.create_confirmed(
                name_of(level), "", house_level=level, match_emails=False, reminder_emails=False
            )
            return made
    except IntegrityError:
        other: User = User.objects.get(username=name_of(level))
        return other


def ensure() -> list[User]:
    """All house opponents, made where one is missing."""
    there = list(User.objects.filter(username__in=NAMES))
    if len(there) < len(LEVELS):
        there = [opponent(level) for level in LEVELS]
    return there


def never_late(user_ids: Collection[int]) -> dict[int, datetime]:
    """Of these users the house opponents, each with an instant before any deadline.

    If they take longer than they have, it is the service that has kept them from answering. Their
    move counts as if it lay here unread.
    """
    found = User.objects.filter(pk__in=user_ids).exclude(house_level="")
    return dict.fromkeys(found.values_list("pk", flat=True), datetime.min.replace(tzinfo=UTC))
