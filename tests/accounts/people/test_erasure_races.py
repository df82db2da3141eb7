"""The two players of matches close their accounts at the same time."""

from functools import partial

import pytest

from accounts.people.erasure import erase
from games.play.models.match import Match
from tests.concurrent import at_once
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def test_both_are_erased_and_their_matches_end(apart: None, who: People) -> None:
    for _ in range(3):
        match_helpers.running_match(who, "a4-a5")
    assert at_once(partial(erase, who.alice), partial(erase, who.bob)) == [None, None]
    for user in (who.alice, who.bob):
        user.refresh_from_db()
        assert user.is_former
    assert not any(match.is_live for match in Match.objects.all())
