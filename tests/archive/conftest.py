import pytest
from django.test import Client

from accounts.models import User


@pytest.fixture
def visitor() -> Client:
    """Somebody who has not signed in."""
    return Client()


def browser(user: User) -> Client:
    """The browser of somebody who has signed in."""
    client = Client()
    client.force_login(user)
    return client
