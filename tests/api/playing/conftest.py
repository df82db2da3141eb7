"""Programs of the players: Alice sits South, Bob North, Charlie has no seat."""

import pytest

from tests.api.client import Program
from tests.play.match_helpers import People

ALL = ("read", "play", "challenge")


@pytest.fixture
def alice_program(who: People) -> Program:
    return Program(who.alice, *ALL)


@pytest.fixture
def bob_program(who: People) -> Program:
    return Program(who.bob, *ALL)


@pytest.fixture
def stranger(who: People) -> Program:
    return Program(who.charlie, *ALL)
