from typing import Any

import pytest

from accounts.models import User


@pytest.fixture(autouse=True)
def relay_table(settings: Any) -> None:
    settings.RELAY_TABLE = "tests.relay.handlers.HANDLERS"


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice")
