"""Accounts that close later, exports and moderators: questions of other rooms."""

from datetime import timedelta

import pytest

from accounts import ports
from accounts.admin_actions import why_not_against
from accounts.models import User
from accounts.people import closing
from accounts.people.erasure import losses
from games.competitions.tournaments.commands import entering, organising, withdrawing
from games.competitions.tournaments.models import Entry
from games.outbox.delivery import dispatcher
from games.people.standing.limits import Leaving
from games.play.commands import finality
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import START, after
from tests.config.personal_data.unpacked import exported

pytestmark = pytest.mark.django_db


def reload(user: User) -> User:
    reloaded: User = User.objects.get(pk=user.pk)
    return reloaded


def deliver() -> None:
    while dispatcher.drain():
        pass


def test_entries_before_the_draw_are_withdrawn_and_new_ones_refused() -> None:
    users = playing.members(4)
    made, drawn = playing.entered(users[:2]), playing.drawn(users)
    with frozen_at(START + timedelta(hours=2)):
        assert not closing.close_later(users[0])
        assert [entry.user for entry in made.entries.all()] == [users[1]]
        assert drawn.entries.filter(user=users[0], status=Entry.Status.PLAYING).exists()
        with pytest.raises(Leaving):
            entering.enter(made.pk, reload(users[0]))


def test_an_account_is_closed_after_its_last_match_and_not_withdrawn() -> None:
    users = playing.members(3)
    made = playing.drawn(users, at_once=1)
    leaver = users[0]
    with frozen_at(after(1)):
        assert not closing.close_later(leaver)
    for day in range(2, 9):
        playing.end_all(made, after(day))
        playing.tick(after(day + 0.1))
    deliver()
    assert reload(leaver).is_former
    assert made.entries.get(user=leaver).status == Entry.Status.PLAYING


def test_an_account_that_may_reach_the_final_stays_until_the_stage_is_over() -> None:
    users = playing.members(6)
    made = playing.drawn(users, group_size=3, stages=2, max_entries=6)
    loser = users[-1]
    with frozen_at(after(1)):
        closing.close_later(loser)
        assert made.title in " ".join(loss.sentence for loss in losses(loser))
    playing.end_all(made, after(2))
    with frozen_at(after(3)):
        deliver()
        finality.sweep()
    assert not reload(loser).is_former
    playing.tick(after(3))
    deliver()
    assert reload(loser).is_former
    assert not reload(users[0]).is_former


@pytest.mark.parametrize("how", ["cancel", "exclude"])
def test_an_account_is_closed_when_nothing_of_the_tournament_remains(how: str) -> None:
    users = playing.members(3)
    made = playing.drawn(users, at_once=1)
    leaver = users[0]
    with frozen_at(after(1)):
        closing.close_later(leaver)
        if how == "cancel":
            organising.cancel(made.pk, "No hall.")
            playing.end_all(made, after(2))
        else:
            withdrawing.exclude(made.entries.get(user=leaver).pk, "Rude.")
    playing.tick(after(3))
    deliver()
    assert reload(leaver).is_former


def test_other_entrants_count_as_opponents_of_a_moderator() -> None:
    users = playing.members(4)
    made = playing.entered(users[:3])

    def ask(one: User, other: User) -> bool:
        return any(port(one.pk, other.pk) for port in ports.compete)

    assert ask(users[0], users[1])
    assert not ask(users[0], users[3]) and not ask(users[3], users[0])
    assert "same tournament" in why_not_against(users[0], users[1], lambda: ())
    assert why_not_against(users[0], users[3], lambda: ()) == ""
    with frozen_at(START + timedelta(days=1)):
        organising.cancel(made.pk, "No hall.")
    assert not ask(users[0], users[1])


def test_the_export_contains_entries_with_results() -> None:
    users = playing.members(4)
    made = playing.drawn(users[:3])
    playing.end_all(made, after(1))
    playing.tick(after(2))
    events = exported(reload(users[0])).json("events.json")
    assert events["ladders"] == []
    (entry,) = events["tournaments"]
    assert (entry["tournament"], entry["title"], entry["status"]) == (made.pk, "Spring", "playing")
    (group,) = entry["groups"]
    assert (group["place"], group["points"]) == (1, "2")
    assert [pairing["signs"] for pairing in group["pairings"]] == ["1", "1"]
    assert {pairing["opponent"] for pairing in group["pairings"]} == {"Member2", "Member3"}
    nobody = exported(reload(users[3])).json("events.json")
    assert nobody == {"tournaments": [], "ladders": []}
