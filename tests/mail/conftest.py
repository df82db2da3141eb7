from collections.abc import Callable

import pytest

from accounts.models import User
from games.play.models.match import Match
from games.relay import carrier
from tests.play import tables
from tests.play.tables import People


@pytest.fixture
def who(db: None) -> People:
    return tables.people()


@pytest.fixture
def alice(who: People) -> User:
    return who.alice


@pytest.fixture
def bob(who: People) -> User:
    return who.bob


@pytest.fixture
def match(who: People) -> Match:
    """Both armies stand, Alice is to move, and no letter waits."""
    match = tables.running_match(who)
    carrier.drain()
    return match


@pytest.fixture
def prefer() -> Callable[..., None]:
    """prefer(alice, match_letters=False)"""

    def set_preferences(user: User, **preferences: object) -> None:
        User.objects.filter(pk=user.pk).update(**preferences)

    return set_preferences
