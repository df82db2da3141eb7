"""Authentication backend: allauth's, which takes the user of a request from its session's query."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User

_known: ContextVar[User | None] = ContextVar("known", default=None)


class Backend(AuthenticationBackend):
    """Log-in by handle or address; named by AUTHENTICATION_BACKENDS."""

    def get_user(self, user_id: int) -> User | None:
        """The user of a session; None if there is none any more or they may not log in."""
        user = _known.get()
        if user is None or user.pk != user_id:
            found: User | None = super().get_user(user_id)
            return found
        return user if self.user_can_authenticate(user) else None


@contextmanager
def knowing(user: User | None) -> Iterator[None]:
    """Within the block, this user need not be read from the database again."""
    token = _known.set(user)
    try:
        yield
    finally:
        _known.reset(token)
