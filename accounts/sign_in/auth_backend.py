"""Authentication backend: allauth's, but with the user that the session's query has loaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from accounts.values import passwords

_preloaded: ContextVar[User | None] = ContextVar("preloaded", default=None)


class Backend(AuthenticationBackend):
    """Log-in by username or address; named by AUTHENTICATION_BACKENDS."""

    def get_user(self, user_id: int) -> User | None:
        """The user of a session; None if they were deleted or may not log in."""
        user = _preloaded.get()
        if user is None or user.pk != user_id:
            loaded: User | None = super().get_user(user_id)
            return loaded
        return user if self.user_can_authenticate(user) else None

    def user_can_authenticate(self, user: User | None) -> bool:
        """Whether a user may sign in at all: bots act by tokens only."""
        return bool(super().user_can_authenticate(user)) and not (user and user.is_bot)

    def _mitigate_timing_attack(self, password: str) -> None:
        """Hash as often as for a wrong password of an account, since hashing can be timed."""
        for form in passwords.forms(password):
            super()._mitigate_timing_attack(form)


@contextmanager
def preloaded(user: User | None) -> Iterator[None]:
    """Within the block, this user is not read from the database again."""
    token = _preloaded.set(user)
    try:
        yield
    finally:
        _preloaded.reset(token)
