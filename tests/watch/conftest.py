"""Matches with enough moves to be listed."""

from collections.abc import Callable

import pytest

from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.match_helpers import People

FOUR = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")


@pytest.fixture
def watchable(who: People) -> Callable[..., Match]:
    """Makes a running match of Alice and Bob in which each has moved twice."""

    def make(*more: str, **columns: object) -> Match:
        match = match_helpers.running_match(who, *FOUR, *more)
        if columns:
            Match.objects.filter(pk=match.pk).update(**columns)
            match.refresh_from_db()
        return match

    return make
