"""Finding a token by its text: one query, whatever is wrong with it."""

from datetime import datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import IntegerField, QuerySet, Value
from django.db.models.functions import Now

from accounts.models import AccessToken, User
from accounts.tokens import texts
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import unless_frozen

TOKEN_COLUMNS = tuple(field.attname for field in AccessToken._meta.concrete_fields)
USER_COLUMNS = tuple(field.attname for field in User._meta.concrete_fields)


def find(text: str) -> AccessToken | None:
    """The valid token with this text, with its `user` loaded; notes the day of its use.

    None for a text that is no token, a token that is unknown, revoked or expired, one of a user
    who is blocked, erased or not confirmed, and one of a bot whose owner is.
    """
    if not texts.is_well_formed(text):
        return None
    for at, owner_active, owner_pending, *columns in _stored(digest=texts.digest(text)):
        token = AccessToken.from_db(DEFAULT_DB_ALIAS, TOKEN_COLUMNS, columns[: len(TOKEN_COLUMNS)])
        token.user = User.from_db(DEFAULT_DB_ALIAS, USER_COLUMNS, columns[len(TOKEN_COLUMNS) :])
        user, instant = token.user, unless_frozen(at)
        owner_may = user.owner_id is None or (owner_active and not owner_pending)
        if token.expires_at > instant and user.is_active and not user.pending and owner_may:
            _note_use(token, instant)
            return token
    return None


@PreparedQuery
def _stored(digest: bytes) -> QuerySet[Any, Any]:
    """The token with this digest, its user, and whether the owner of a bot may act."""
    user = (f"user__{name}" for name in USER_COLUMNS)
    # The query is compiled with a number in place of the digest.
    tokens = AccessToken.objects.filter(digest=Value(digest, output_field=IntegerField()))
    return tokens.values_list(
        Now(), "user__owner__is_active", "user__owner__pending", *TOKEN_COLUMNS, *user
    )


def _note_use(token: AccessToken, at: datetime) -> None:
    """Write the day (UTC) of the last use, at most once a day."""
    day = at.date()
    if token.used_on != day:
        AccessToken.objects.filter(pk=token.pk).update(used_on=day)
        token.used_on = day
