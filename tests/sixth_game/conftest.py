from collections.abc import Iterator

import pytest

from games.rules import registry
from tests.play import tables
from tests.play.tables import People
from tests.sixth_game import outpost


@pytest.fixture(autouse=True)
def outpost_is_registered() -> Iterator[None]:
    """The one line that a game needs outside its own file, for the time of a test."""
    registry.register(outpost.EDITIONS)
    yield
    registry.withdraw(outpost.PLAIN.family)


@pytest.fixture
def who(db: None) -> People:
    return tables.people()
