"""Authentication backend: allauth's, which finds the user of a session by a prepared query."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet

from accounts.models import User
from accounts.prepared_queries import PreparedQuery

COLUMNS = tuple(field.attname for field in User._meta.concrete_fields)


class Backend(AuthenticationBackend):
    """Log-in by handle or address; named by AUTHENTICATION_BACKENDS."""

    def get_user(self, user_id: int) -> User | None:
        """The user of a session; None if there is none any more or they may not log in."""
        for row in _stored(user_id=user_id):
            user: User = User.from_db(DEFAULT_DB_ALIAS, COLUMNS, row)
            return user if self.user_can_authenticate(user) else None
        return None


@PreparedQuery
def _stored(user_id: int) -> QuerySet[Any, Any]:
    found: QuerySet[Any, Any] = User.objects.filter(pk=user_id)
    return found.values_list(*COLUMNS)
