"""Whether a seat is of a live match is copied to it, and stays true whatever happens."""

from datetime import timedelta

import pytest

from games.play import commands, timekeeper
from games.play.models.match import Match, Player
from games.relay.moment import now, standing_at
from games.rules.core.army import Seat
from tests.play import tables

pytestmark = pytest.mark.django_db


def live(match: Match) -> set[bool]:
    return set(Player.objects.filter(match=match).values_list("live", flat=True))


def test_seats_are_live_from_the_first_day_to_the_ending(who):
    match = tables.open_table(who)
    assert live(match) == {True}
    assert live(tables.set_up(match)) == {True}
    assert live(tables.play(match, *tables.FIRST_MOVES)) == {True}
    assert live(tables.resign(match, Seat.NORTH)) == {False}


@pytest.mark.parametrize("end", ["abort", "void", "rules"])
def test_every_ending_is_copied(who, end):
    if end == "rules":
        match = tables.decided_match(who)
    else:
        match = tables.running_match(who)
        commands.abort(match.pk, who.bob) if end == "abort" else commands.void(match.pk, "A drill.")
    assert live(match) == {False}


def test_an_ending_by_time_can_be_taken_back(who):
    match = tables.running_match(who, "a4-a5")
    with standing_at(now() + timedelta(days=4)):
        timekeeper.sweep()
        assert live(match) == {False}
        commands.reopen(match.pk, "It was our fault.")
    assert live(match) == {True}
