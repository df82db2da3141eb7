"""The draw: dropped entries, too few entries, groups and lots that follow from the seed."""

from datetime import timedelta
from typing import Any

import pytest

from games.competitions.draw.groups import Entrant, Grouping, deal
from games.competitions.tournaments.commands import opening
from games.competitions.tournaments.models import Entry, Lot, Pairing, State, Tournament
from games.outbox.models import Dispatch
from games.play.commands import matches
from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import CLOSES, after

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


def test_groups_follow_from_the_seed() -> None:
    users = playing.members(7)
    made = playing.drawn(users, seed="tulip")
    entrants = [Entrant(user.pk, 1500) for user in users]
    by_hand = deal(entrants, 6, Grouping.EVEN, "tulip")
    lots = Lot.objects.filter(group__stage__tournament=made).order_by("group", "number")
    drawn = list(lots.values_list("group__number", "entry__user"))
    assert drawn == [(n, each.user) for n, group in enumerate(by_hand, 1) for each in group]
    pairing = Pairing.objects.select_related("match", "south__entry").first()
    south = pairing.match.players.get(seat=Seat.SOUTH)
    assert south.user_id == pairing.south.entry.user_id
    assert pairing.match.event == f"tournament/{made.pk}"
    assert pairing.match.rated


def test_the_seed_is_drawn_after_the_close() -> None:
    made = playing.entered(playing.members(3))
    assert made.seed == ""
    playing.tick(CLOSES)
    assert len(playing.stage(made).seed) == 32


def test_entrants_who_no_longer_qualify_are_dropped_and_notified() -> None:
    users = playing.members(4)
    made = playing.entered(users)
    users[0].is_active = False
    users[0].save()
    playing.tick(CLOSES)
    assert made.entries.get(user=users[0]).status == Entry.Status.DROPPED
    assert made.entries.filter(status=Entry.Status.PLAYING).count() == 3
    assert Dispatch.objects.filter(event="tournament-withdrawn", user=users[0]).exists()
    assert Dispatch.objects.filter(event="tournament-begins").count() == 3


def test_too_few_entries_extend_entry_by_seven_days_once() -> None:
    made = playing.entered(playing.members(2))
    playing.tick(CLOSES)
    made.refresh_from_db()
    assert (made.state, made.closes_at) == (State.OPEN, CLOSES + timedelta(days=7))
    playing.tick(after(7))
    made.refresh_from_db()
    assert made.state == State.CANCELLED
    assert Dispatch.objects.filter(event="tournament-cancelled").count() == 2


def test_a_set_game_opens_sets() -> None:
    made = playing.drawn(playing.members(3), preset="assaut")
    assert Match.objects.filter(event=made.event_key, twin__isnull=False).count() == 6


def test_the_cap_on_simultaneous_opponents_is_respected() -> None:
    made = playing.drawn(playing.members(4), at_once=1)
    live = Match.objects.filter(event=made.event_key, finished_at=None)
    assert live.count() == 2
    playing.end(live.first(), None, after(1))
    playing.tick(after(1))
    # The other pair still plays, and everybody has at most one match.
    assert live.count() == 1
    playing.end(live.get(), None, after(2))
    playing.tick(after(2))
    assert live.count() == 2
    rounds = Pairing.objects.filter(match__in=live).values_list("round", flat=True)
    assert set(rounds) == {2}


def test_a_killed_worker_leaves_a_consistent_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """It dies at each match in turn; later runs end with the same result as one run."""
    made = playing.entered(playing.members(6), seed="tulip")
    whole, opened = matches.open_match, []

    class Killed(BaseException):
        pass

    def dying(*args: Any, **kwargs: Any) -> Match:
        opened.append(1)
        if len(opened) in (1, 4, 9):
            raise Killed
        return whole(*args, **kwargs)

    monkeypatch.setattr(f"{opening.__name__}.open_match", dying)
    monkeypatch.setattr(opening, "BATCH", 3)
    # What a killed worker has leased is free again after a minute.
    for minutes in (0, 2, 4):
        with pytest.raises(Killed):
            playing.tick(CLOSES + timedelta(minutes=minutes))
    playing.tick(CLOSES + timedelta(minutes=6))
    playing.tick(CLOSES + timedelta(minutes=8))
    assert Tournament.objects.get().state == State.RUNNING
    assert Match.objects.filter(event=made.event_key).count() == 15
    assert Pairing.objects.filter(match__isnull=False, waiting=False).count() == 15
    assert Dispatch.objects.filter(event="match-began").count() == 30
