"""Accounts of house opponents: one for each level, created when first needed."""

from collections.abc import Collection
from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.values import usernames
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT

# The easiest first. An account plays all games, so a new game needs no new accounts.
LEVELS = (RECRUIT.name, SERGEANT.name, MARSHAL.name)


def name_of(level: str) -> str:
    """The username of the house opponent of a level."""
    return f"{usernames.HOUSE}{level.capitalize()}"


NAMES = tuple(map(name_of, LEVELS))


def opponent(level: str) -> User:
    """The house opponent of a level, created if it is missing. Safe under concurrent calls."""
    existing: User | None = User.objects.filter(username=name_of(level)).first()
    if existing is not None:
        return existing
    try:
        with transaction.atomic():
            # It gets no notifications.
            created: User = User.objects.create_confirmed(
                name_of(level), "", house_level=level, match_emails=False, reminder_emails=False
            )
            return created
    except IntegrityError:
        concurrent: User = User.objects.get(username=name_of(level))
        return concurrent


def ensure() -> list[User]:
    """All house opponents; creates those that are missing."""
    opponents = list(User.objects.filter(username__in=NAMES))
    if len(opponents) < len(LEVELS):
        opponents = [opponent(level) for level in LEVELS]
    return opponents


def unread_from_house(user_ids: Collection[int]) -> dict[int, datetime]:
    """The house opponents among these users, each with an instant before any deadline.

    For the port `unread_moves`: a house opponent is late only if the service is, so it never loses
    on time. Its move counts as one that has arrived in time and is not read yet.
    """
    house = User.objects.filter(pk__in=user_ids).exclude(house_level="")
    return dict.fromkeys(house.values_list("pk", flat=True), datetime.min.replace(tzinfo=UTC))
