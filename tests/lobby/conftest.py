"""Alice offers, Bob is the one she plays with, Charlie passes by."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation, Kind


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice", "alice@example.org")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob", "bob@example.org")


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_user("Charlie", "charlie@example.org")


@pytest.fixture
def offer() -> Callable[..., Invitation]:
    """Offers L'Attaque at three days a move, in an open seat unless told otherwise."""

    def make(owner: User, **terms: object) -> Invitation:
        usual = {
            "kind": Kind.CHALLENGE if "guest" in terms else Kind.SEAT,
            "preset": "lattaque-en",
            "pace": "3d",
            "setup_pace": "3d",
        }
        return commands.offer(owner, **(usual | terms))

    return make
