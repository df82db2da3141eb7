from collections.abc import Iterator

import pytest

from games.rules import registry
from tests.sixth_game import outpost


@pytest.fixture(autouse=True)
def outpost_is_registered() -> Iterator[None]:
    """Registers the game for the time of a test: the one line needed outside its own file."""
    registry.register(outpost.EDITIONS)
    yield
    registry.withdraw(outpost.PLAIN.family)
