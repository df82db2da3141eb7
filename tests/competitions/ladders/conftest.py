"""A ladder for the tests of this folder."""

import pytest

from accounts.models import User
from games.competitions.ladders.models import Ladder
from tests.competitions.ladders import scene
from tests.ratings.results import day


@pytest.fixture
def ladder(db: None) -> Ladder:
    return scene.open_ladder()


@pytest.fixture
def members(ladder: Ladder) -> list[User]:
    """Eight members, m1 at the head, since day 1."""
    return scene.add_members(ladder, 8, day(1))
