"""The sum of a match's clocks follows from its record and its log, to the microsecond."""

from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from accounts.models import User
from games.play import time_controls
from games.play.commands import courtesies
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment
from games.play.record import match_view
from lib.db_clock import frozen_at
from tests import tiers
from tests.play import match_helpers, service
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql_soak

MOVES = ("a4-a5", "j7-j6", "a5-a4", "j6-j7") * 4
HOUR, TICK = timedelta(hours=1), timedelta(microseconds=1)


def from_the_record(match: Match) -> timedelta:
    """The sum of both clocks, by the record, just after the last move."""
    control = time_controls.parse(match.pace)
    assert control.bank is not None
    entries = match_view.entries(match, match.opening or 0, match.ply)
    moves = [entry for entry in entries if entry.kind == PlyKind.MOVE]
    log = list(Adjustment.objects.filter(match=match).order_by("id"))
    given = sum((one.span for one in log if one.span), timedelta(0))
    paused = [one.at for one in log if one.kind in ("paused", "resumed")]
    stood = sum((paused[i + 1] - paused[i] for i in range(0, len(paused), 2)), timedelta(0))
    thought = sum((after.at - before.at for before, after in pairwise(entries)), timedelta(0))
    return 2 * control.bank + len(moves) * control.increment + given + stood - thought


@pytest.mark.long
@pytest.mark.parametrize("seed", tiers.parameters(range(4), fast=[0]))
def test_no_microsecond_is_lost_in_any_sequence_of_events(who: People, seed: int) -> None:
    rng = Random(seed)
    match = match_helpers.set_up(match_helpers.new_match(who, pace="30d+3d"))
    at = match.players.get(to_act=True).since
    assert at is not None

    def later(longest: timedelta) -> None:
        nonlocal at
        assert at is not None
        at += TICK * rng.randrange(1, longest // TICK)

    def people() -> tuple[User, User]:
        players = match.players.select_related("user")
        return players.get(to_act=True).user, players.get(to_act=False).user

    for move in MOVES:
        later(20 * HOUR)
        mover, other = people()
        action = rng.choice(("gift", "pause", "outage", "", ""))
        with frozen_at(at):
            if action == "gift":
                courtesies.give_day(match.pk, other)
            elif action == "pause":
                courtesies.offer_pause(match.pk, other)
                courtesies.accept_pause(match.pk, mover)
            elif action == "outage":
                service.beat()
        later(20 * HOUR)
        with frozen_at(at):
            if action == "pause":
                courtesies.resume(match.pk, rng.choice((mover, other)))
        if action != "pause":
            later(HOUR)
        with frozen_at(at):
            service.beat()
            match_helpers.play(match, move)
    kept = sum((player.bank for player in Player.objects.filter(match=match)), timedelta(0))
    assert kept == from_the_record(as_is(match))
