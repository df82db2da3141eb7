"""Open challenges to a player, as programs poll for them."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.lobby.models import OPEN, Invitation
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import unless_frozen

MAX_CHALLENGES = 100
COLUMNS = tuple(field.attname for field in Invitation._meta.concrete_fields)
USER_COLUMNS = ("id", "username")


def open_challenges(user_id: int) -> list[Invitation]:
    """The challenges to a user that can be accepted, newest first; one query."""
    return [
        _invitation(row)
        for at, until, *row in _challenges(user_id=user_id)
        if until > unless_frozen(at)
    ]


@PreparedQuery
def _challenges(user_id: int) -> QuerySet[Any, Any]:
    # Whether they have expired is asked afterwards, since tests freeze the time.
    challenges = Invitation.objects.filter(OPEN, guest=user_id, owner__is_active=True)
    return challenges.order_by("-pk").values_list(
        Now(),
        "expires_at",
        *COLUMNS,
        *(f"owner__{name}" for name in USER_COLUMNS),
        *(f"guest__{name}" for name in USER_COLUMNS),
    )[:MAX_CHALLENGES]


def _invitation(row: list[Any]) -> Invitation:
    users, count = get_user_model(), len(USER_COLUMNS)
    columns, owner, guest = row[: -2 * count], row[-2 * count : -count], row[-count:]
    invitation: Invitation = Invitation.from_db(DEFAULT_DB_ALIAS, COLUMNS, columns)
    invitation.owner = users.from_db(DEFAULT_DB_ALIAS, USER_COLUMNS, owner)
    invitation.guest = users.from_db(DEFAULT_DB_ALIAS, USER_COLUMNS, guest)
    return invitation
