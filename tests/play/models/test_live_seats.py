"""Player.live, copied from the match: it stays correct whatever happens to the match."""

from datetime import timedelta

import pytest

from games.play.commands import deadlines, endings, moderation
from games.play.models.match import Match, Player
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def live_flags(match: Match) -> set[bool]:
    return set(Player.objects.filter(match=match).values_list("live", flat=True))


def test_seats_are_live_from_the_start_to_the_end(who: People) -> None:
    match = match_helpers.new_match(who)
    assert live_flags(match) == {True}
    assert live_flags(match_helpers.set_up(match)) == {True}
    assert live_flags(match_helpers.play(match, *match_helpers.FIRST_MOVES)) == {True}
    assert live_flags(match_helpers.resign(match, Seat.NORTH)) == {False}


@pytest.mark.parametrize("end", ["abort", "void", "rules"])
def test_every_ending_is_copied(who: People, end: str) -> None:
    if end == "rules":
        match = match_helpers.decided_match(who)
    else:
        match = match_helpers.running_match(who)
        endings.abort(match.pk, who.bob) if end == "abort" else moderation.void(
            match.pk, "A drill."
        )
    assert live_flags(match) == {False}


def test_an_ending_by_time_can_be_reverted(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    with frozen_at(now() + timedelta(days=4)):
        deadlines.sweep()
        assert live_flags(match) == {False}
        moderation.reopen(match.pk, "It was our fault.")
    assert live_flags(match) == {True}
