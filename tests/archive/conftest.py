import pytest
from django.test import Client

from tests.play import tables
from tests.play.tables import People


@pytest.fixture
def who(db: None) -> People:
    return tables.people()


@pytest.fixture
def visitor() -> Client:
    """Somebody who has not signed in."""
    return Client()


def browser(user) -> Client:
    """The browser of somebody who has signed in."""
    client = Client()
    client.force_login(user)
    return client
