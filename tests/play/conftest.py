import pytest

from accounts.models import User
from games.play.models.match import Match
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
def charlie(who: People) -> User:
    return who.charlie


@pytest.fixture
def match(who: People) -> Match:
    """Both armies stand; Alice is to move."""
    return tables.running_match(who)
