import pytest
from django.test import Client

from accounts.models import User
from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.match_helpers import People

BATTLE = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")  # ends with a scout lost to the marshal


@pytest.fixture
def visitor() -> Client:
    """The browser of an anonymous visitor."""
    return Client()


@pytest.fixture
def finished(who: People) -> Match:
    """A finished match with a battle."""
    return match_helpers.finished_match(who, *BATTLE)


def browser(user: User) -> Client:
    """The browser of a logged-in user."""
    client = Client()
    client.force_login(user)
    return client
