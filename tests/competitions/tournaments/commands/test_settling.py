"""Cells: what each ending scores and when, and players who stopped playing."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.competitions.tournaments import links
from games.competitions.tournaments.commands import withdrawing
from games.competitions.tournaments.models import Entry, State, Tournament
from games.people.standing import limits
from games.play.commands import endings, moderation
from games.play.models.match import Match, Player
from lib.db_clock import frozen_at
from tests import tiers
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after, cells, pairing_of
from tests.play import match_helpers
from tests.play.forms import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


@pytest.fixture
def users() -> list[User]:
    return playing.members(4)


@pytest.fixture
def tournament(users: list[User]) -> Tournament:
    return playing.drawn(users, seed="tulip")


def signs_of_pair(tournament: Tournament, one: User, other: User) -> Match:
    match = pairing_of(tournament, one, other).match
    assert match is not None
    return match


def test_each_ending_has_its_sign(tournament: Tournament, users: list[User]) -> None:
    ann, ben, cat, dan = users
    playing.end(signs_of_pair(tournament, ann, ben), ann, after(1))
    playing.end(signs_of_pair(tournament, ann, cat), None, after(1))
    with frozen_at(after(1)):
        endings.abort(signs_of_pair(tournament, ann, dan).pk, dan)
        moderation.void(signs_of_pair(tournament, ben, cat).pk, "a trial")
    assert cells(tournament, ann, ben) == (".", ".")
    playing.tick(after(1))
    assert cells(tournament, ann, ben) == ("1", "0")
    assert cells(tournament, ann, cat) == ("=", "=")
    assert cells(tournament, ann, dan) == ("+", "-")
    assert cells(tournament, ben, cat) == ("v", "v")
    assert cells(tournament, ben, dan) == (".", ".")


def test_a_loss_on_time_counts_after_two_days(tournament: Tournament, users: list[User]) -> None:
    ann, ben, *_ = users
    playing.end(signs_of_pair(tournament, ann, ben), ann, after(1), on_time=True)
    playing.tick(after(2))
    assert cells(tournament, ann, ben) == (".", ".")
    with frozen_at(after(2.5)):
        moderation.reopen(signs_of_pair(tournament, ann, ben).pk, "The mail was late.")
    playing.tick(after(4))
    assert cells(tournament, ann, ben) == (".", ".")
    playing.end(signs_of_pair(tournament, ann, ben), ben, after(5))
    playing.tick(after(5))
    assert cells(tournament, ann, ben) == ("0", "1")


def test_a_set_has_a_sign_for_each_match(users: list[User]) -> None:
    tournament = playing.drawn(users, preset="assaut", seed="tulip")
    ann, ben, *_ = users
    pairing = pairing_of(tournament, ann, ben)
    first, second = pairing.match, pairing.match.twin
    playing.end(first, ann, after(1))
    with frozen_at(after(1)):
        endings.abort(second.pk, ann)
    playing.tick(after(1))
    hers, his = cells(tournament, ann, ben)
    ann_is_south = pairing.south.entry.user_id == ann.pk
    assert (hers, his) == (("1-", "+0") if ann_is_south else ("-1", "0+"))


def test_a_player_who_loses_two_units_on_time_without_a_move_is_withdrawn(
    tournament: Tournament, users: list[User]
) -> None:
    ann, ben, cat, dan = users
    for number, other in enumerate((ben, cat), 1):
        match = signs_of_pair(tournament, ann, other)
        playing.end(match, other, after(number), on_time=True)
        Player.objects.filter(match=match, user=ann).update(moved_at=after(0.5))
    playing.tick(after(3.5))
    assert tournament.entries.get(user=ann).status == Entry.Status.PLAYING
    playing.tick(after(4.5))
    entry = tournament.entries.get(user=ann)
    assert (entry.status, entry.why) == (Entry.Status.WITHDRAWN, Entry.Why.SILENT)
    assert cells(tournament, ann, dan) == ("-", "+")
    assert not signs_of_pair(tournament, ann, dan).is_live


def test_a_player_who_moves_elsewhere_is_not_withdrawn(
    tournament: Tournament, users: list[User]
) -> None:
    ann, ben, cat, dan = users
    for number, other in enumerate((ben, cat), 1):
        playing.end(signs_of_pair(tournament, ann, other), other, after(number), on_time=True)
    Player.objects.filter(match=signs_of_pair(tournament, ann, dan), user=ann).update(
        moved_at=after(1.5)
    )
    playing.tick(after(5))
    assert tournament.entries.get(user=ann).status == Entry.Status.PLAYING


def test_a_withdrawal_forfeits_unfinished_matches(
    tournament: Tournament, users: list[User]
) -> None:
    ann, ben, cat, dan = users
    playing.end(signs_of_pair(tournament, ann, ben), ann, after(1))
    playing.tick(after(1))
    begun = signs_of_pair(tournament, ann, cat)
    Match.objects.filter(pk=begun.pk).update(status="running", opening=0, ply=0)
    with frozen_at(after(2)):
        ended = withdrawing.running_matches(tournament, ann)
        assert {match.pk for match in ended} == {begun.pk, signs_of_pair(tournament, ann, dan).pk}
        withdrawing.withdraw(tournament.pk, ann)
        withdrawing.withdraw(tournament.pk, ann)
    playing.tick(after(2))
    assert [cells(tournament, ann, other) for other in (ben, cat, dan)] == [
        *[("1", "0")],
        *[("-", "+")] * 2,
    ]
    assert not signs_of_pair(tournament, ann, dan).is_live


def test_closing_an_account_withdraws_it(tournament: Tournament, users: list[User]) -> None:
    with frozen_at(after(1)):
        withdrawing.erase_player(users[0])
    entry = tournament.entries.get(user=users[0])
    assert (entry.status, entry.why) == (Entry.Status.WITHDRAWN, Entry.Why.CLOSED)


@pytest.mark.parametrize("size", tiers.parameters((3, 4), fast=(3,)))
def test_an_annulment_after_the_end_changes_numbers_only(users: list[User], size: int) -> None:
    tournament = playing.drawn(users[:size], group_size=size, seed="tulip")
    ann, ben, *_ = users
    playing.end(signs_of_pair(tournament, ann, ben), ann, after(1), on_time=True)
    playing.end_all(tournament, after(1))
    playing.tick(after(3))
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED
    before = playing.csv(tournament)
    with frozen_at(after(4)):
        moderation.void(signs_of_pair(tournament, ann, ben).pk, "The server stood still.")
    playing.tick(after(4))
    assert cells(tournament, ann, ben) == ("v", "v")
    assert playing.csv(tournament) != before
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED


def test_matches_of_a_tournament_have_no_pauses(tournament: Tournament, users: list[User]) -> None:
    match = signs_of_pair(tournament, users[0], users[1])
    assert not match.has_pauses
    assert Match(event="").has_pauses


def test_a_finished_stage_ends_within_one_run(users: list[User]) -> None:
    tournament = playing.drawn(users, group_size=3, stages=1)
    playing.end_all(tournament, after(1))
    done = playing.tick(after(1))
    assert done["stages ended"] == 1
    assert done["pairings opened"] == 0
    assert not any(playing.tick(after(1) + timedelta(hours=1)).values())


def test_endings_by_a_closed_account_are_named(tournament: Tournament, users: list[User]) -> None:
    ((sentence, path),) = links.at_closing(users[0].pk)
    assert "“Spring”" in sentence
    assert path == tournament.get_absolute_url()


def test_a_withdrawal_is_atomic(
    tournament: Tournament, users: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *others = users
    ended: list[int] = []

    def dying(match_id: int, user: User) -> None:
        if ended:
            raise KeyboardInterrupt
        endings.abort(match_id, user)
        ended.append(match_id)

    monkeypatch.setattr(f"{withdrawing.__name__}.abort", dying)
    with frozen_at(after(1)):
        with pytest.raises(KeyboardInterrupt):
            withdrawing.withdraw(tournament.pk, ann)
        assert tournament.entries.get(user=ann).status == Entry.Status.PLAYING
        assert all(signs_of_pair(tournament, ann, other).is_live for other in others)
        assert [cells(tournament, ann, other) for other in others] == [(".", ".")] * 3
        monkeypatch.undo()
        withdrawing.withdraw(tournament.pk, ann)
    assert not any(signs_of_pair(tournament, ann, other).is_live for other in others)
    assert [cells(tournament, ann, other) for other in others] == [("-", "+")] * 3


@pytest.mark.parametrize("how", ["exclude", "withdraw"])
def test_only_a_player_who_withdraws_has_missed_what_they_hardly_played(
    users: list[User], how: str
) -> None:
    made = playing.drawn(users, group_size=4)
    leaver = users[0]
    matches = list(Match.objects.filter(event=made.event_key, players__user=leaver))
    with frozen_at(after(1)):
        for match in matches:
            match_helpers.set_up(match)
            match_helpers.play(match, "a4-a5", "j7-j6")
        hers, path = client_of(leaver), f"{made.get_absolute_url()}leave/"
        assert b"3 of them count as not set up" in hers.post(path).content
        if how == "exclude":
            withdrawing.exclude(made.entries.get(user=leaver).pk, "A quarrel.")
        else:
            hers.post(path, {"sure": "yes"})
    own = Player.objects.filter(user=leaver)
    assert list(own.values_list("match__reason", flat=True)) == ["resigned"] * 3
    assert own.filter(missed_at__isnull=False).count() == (0 if how == "exclude" else 3)
    with frozen_at(after(2)):
        assert (limits.barred_since(leaver.pk) is None) == (how == "exclude")
