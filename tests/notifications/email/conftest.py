from collections.abc import Callable

import pytest

from accounts.models import User


@pytest.fixture
def prefer() -> Callable[..., None]:
    """prefer(alice, match_emails=False)"""

    def set_preferences(user: User, **preferences: object) -> None:
        User.objects.filter(pk=user.pk).update(**preferences)

    return set_preferences
