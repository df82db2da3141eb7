"""The end of a stage: who advances, the final, the winners, and the e-mails to players."""

import pytest

from games.competitions.draw.lots import by_lot
from games.competitions.tournaments import tables
from games.competitions.tournaments.commands import withdrawing
from games.competitions.tournaments.commands.entering import NotOpen
from games.competitions.tournaments.models import Lot, Pairing, Stage, State
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at
from tests import tiers
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after
from tests.play.forms import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


# Two groups of so many players.
in_two_groups = pytest.mark.parametrize("size", tiers.parameters((3, 4), fast=(3,)))


@in_two_groups
def test_ties_at_the_cut_are_decided_by_lots(size: int) -> None:
    users = playing.members(2 * size)
    made = playing.drawn(users, group_size=size, stages=2, places=2, max_entries=2 * size)
    playing.end_all(made, after(1), winner=lambda users: None)
    playing.tick(after(1))
    qualified = Lot.objects.filter(group__stage__number=1, qualified=True)
    assert set(qualified.values_list("number", flat=True)) == {1, 2}
    final = Lot.objects.filter(group__stage__number=2).order_by("number")
    finalists = list(final.values_list("entry__user", flat=True))
    assert finalists == by_lot(finalists, playing.stage(made, 2).seed, lambda user: user)
    assert Dispatch.objects.filter(event="tournament-advanced").count() == 4
    assert Pairing.objects.filter(group__stage__number=2, match__isnull=False).count() == 6


@in_two_groups
def test_a_player_who_withdrew_does_not_advance(size: int) -> None:
    users = playing.members(2 * size)
    made = playing.drawn(users, group_size=size, stages=2, max_entries=2 * size, seed="tulip")
    playing.end_all(made, after(1))
    best = Lot.objects.filter(entry__user=users[0]).get()
    with frozen_at(after(1)):
        withdrawing.withdraw(made.pk, users[0])
    playing.tick(after(1))
    best.refresh_from_db()
    assert not best.qualified
    assert Lot.objects.filter(group__stage__number=2).count() == 2


@pytest.mark.soak
def test_withdrawing_from_the_final_changes_nothing_in_the_group() -> None:
    users = playing.members(8)
    made = playing.drawn(users, group_size=4, stages=2, seed="tulip")
    # The first of one group has two walkovers, so that less than half of their matches are played.
    first = min(entry.user.pk for entry in made.entries.all())
    rivals = Pairing.objects.filter(group__lots__entry__user=first)
    others = {lot.entry.user for each in rivals for lot in (each.south, each.north)}
    best = next(user for user in others if user.pk == first)
    with frozen_at(after(1)):
        for user in sorted(others - {best}, key=lambda user: user.pk)[:2]:
            withdrawing.withdraw(made.pk, user)
    playing.end_all(made, after(2))
    playing.tick(after(2))
    before = playing.csv(made).partition(f"{made.pk},2,")[0]
    with frozen_at(after(3)):
        withdrawing.withdraw(made.pk, best)
    assert playing.csv(made).partition(f"{made.pk},2,")[0] == before
    assert f"u{best.pk},,,,,left out" in playing.csv(made)


@in_two_groups
def test_a_player_without_further_matches_cannot_withdraw(size: int) -> None:
    *users, outsider = playing.members(2 * size + 1)
    made = playing.drawn(users, group_size=size, stages=2, max_entries=2 * size, seed="tulip")
    playing.end_all(made, after(1))
    playing.tick(after(1))
    finalists = Lot.objects.filter(group__stage__number=2).values("entry")
    out = made.entries.exclude(pk__in=finalists).first()
    assert out is not None
    for user in (out.user, outsider):
        with frozen_at(after(2)), pytest.raises(NotOpen):
            withdrawing.withdraw(made.pk, user)
        leave = client_of(user).post(f"{made.get_absolute_url()}leave/", follow=True)
        assert b"You have no further match to play" in leave.content
    seen = client_of(out.user).get(made.get_absolute_url()).content
    assert b"Withdraw" not in seen


@pytest.mark.parametrize("size", tiers.parameters((3, 4), fast=(3,)))
def test_one_group_needs_no_final(size: int) -> None:
    made = playing.drawn(playing.members(size), stages=2)
    playing.end_all(made, after(1))
    playing.tick(after(1))
    made.refresh_from_db()
    assert made.state == State.FINISHED
    assert Stage.objects.count() == 1


def test_all_players_are_notified_of_their_place() -> None:
    users = playing.members(3)
    made = playing.drawn(users)
    playing.end_all(made, after(1))
    playing.tick(after(1))
    assert tables.places(made) == {user.pk: place for place, user in enumerate(users, 1)}
    rows = Dispatch.objects.filter(event="tournament-over").values_list("user", "ref")
    assert {user: ref["place"] for user, ref in rows} == tables.places(made)
