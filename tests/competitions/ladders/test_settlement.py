"""What the result of a challenge does to the places, and in which order."""

from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.competitions.ladders import settlement
from games.competitions.ladders.models import Challenge, Change, Ladder, Member
from games.outbox.delivery import dispatcher
from games.play.commands import endings, finality, moderation
from games.play.models.match import Match
from lib.db_clock import frozen_at
from tests import tiers
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import TIME, aborted, challenge, log_of, order, tick, won
from tests.ratings.results import day

pytestmark = pytest.mark.django_db

EIGHT = ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]


def test_a_winner_gets_the_place_of_the_challenged(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[4], members[1], day(2))
    assert match.rated
    won(match, members[4], day(3))
    tick(day(3.1))
    assert order(ladder) == ["m1", "m5", "m2", "m3", "m4", "m6", "m7", "m8"]
    assert log_of(ladder) == [("m5", 5, 2, "won")]
    assert Change.objects.get(why="won").match_id == match.pk
    assert scene.running(ladder) == 0
    # Once settled, nothing happens again.
    tick(day(3.2))
    assert log_of(ladder) == [("m5", 5, 2, "won")]


@pytest.mark.parametrize("result", ["lost", "drawn", "void", "aborted", "both"])
def test_all_other_results_change_nothing(ladder: Ladder, members: list[User], result: str) -> None:
    above, below = members[2], members[4]
    match = challenge(below, above, day(2))
    match result:
        case "lost":
            won(match, above, day(3))
        case "drawn":
            won(match, None, day(3))
        case "void":
            scene.voided(match, day(3))
        case "aborted":
            aborted(match, [below], day(3))
        case "both":
            aborted(match, [below, above], day(3), missed=True)
    tick(day(6))
    assert order(ladder) == EIGHT
    assert (log_of(ladder), scene.running(ladder)) == ([], 0)


@pytest.mark.parametrize("missed", [False, True])
def test_a_challenged_player_who_aborts_or_does_not_set_up_loses(
    ladder: Ladder, members: list[User], missed: bool
) -> None:
    match = challenge(members[3], members[0], day(2))
    aborted(match, [members[0]], day(7), missed=missed)
    tick(day(9.1))
    assert order(ladder)[:4] == ["m4", "m1", "m2", "m3"]


def test_a_loss_on_time_is_settled_when_it_is_final(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[3], members[0], day(2))
    won(match, members[3], day(7), TIME)
    tick(day(8.9))
    assert (order(ladder), scene.running(ladder)) == (EIGHT, 1)
    tick(day(9.01))
    assert order(ladder)[0] == "m4"


def test_a_challenger_who_is_above_by_then_stays(ladder: Ladder, members: list[User]) -> None:
    one = challenge(members[4], members[3], day(2))
    other = challenge(members[4], members[1], day(2))
    won(other, members[4], day(3))
    won(one, members[4], day(4))
    tick(day(5))
    assert log_of(ladder) == [("m5", 5, 2, "won")]


def test_results_count_in_the_order_of_their_finality(ladder: Ladder, members: list[User]) -> None:
    a, b = challenge(members[3], members[2], day(2)), challenge(members[4], members[3], day(2))
    # The later number is final first, and at the same instant the lower number comes first.
    won(b, members[4], day(3))
    won(a, members[3], day(4))
    tick(day(5))
    assert log_of(ladder) == [("m5", 5, 4, "won"), ("m4", 5, 3, "won")]
    assert order(ladder)[2:5] == ["m4", "m3", "m5"]


def test_at_the_same_instant_the_lower_number_comes_first(
    ladder: Ladder, members: list[User]
) -> None:
    a, b = challenge(members[3], members[2], day(2)), challenge(members[4], members[2], day(2))
    won(b, members[4], day(3))
    won(a, members[3], day(3))
    tick(day(5))
    assert log_of(ladder) == [("m4", 4, 3, "won"), ("m5", 5, 4, "won")]


def test_a_late_delivery_by_the_outbox_keeps_the_order(ladder: Ladder, members: list[User]) -> None:
    a, b = challenge(members[3], members[2], day(2)), challenge(members[4], members[3], day(2))
    won(a, members[3], day(3))
    won(b, members[4], day(4))
    with frozen_at(day(5)):
        finality.sweep()
        settlement.note_final(b.pk)
        assert settlement.settle_all() == 2
    assert [row[0] for row in log_of(ladder)] == ["m4", "m5"]
    # The outbox comes to it afterwards, and nothing happens again.
    with frozen_at(day(6)):
        while dispatcher.drain():
            pass
        assert settlement.settle_all() == 0


@pytest.mark.parametrize(
    ("first", "second", "is_won"),
    [("m4", "m4", True), ("m4", None, True), ("m4", "m1", False), (None, None, False)],
)
def test_a_set_is_won_by_more_points(
    first: str | None, second: str | None, is_won: bool, db: None
) -> None:
    ladder = scene.open_ladder("assaut")
    users = {user.username: user for user in scene.add_members(ladder, 4, day(1))}
    match = challenge(users["m4"], users["m1"], day(2), "assaut")
    assert match.twin is not None
    won(match, users.get(first or ""), day(3))
    tick(day(3.5))
    assert scene.running(ladder) == 1
    won(match.twin, users.get(second or ""), day(4))
    tick(day(5))
    assert (order(ladder)[0] == "m4") is is_won
    assert Challenge.objects.get().final_at == day(4)


def test_a_match_of_a_set_that_the_challenged_aborts_is_lost_by_them(db: None) -> None:
    ladder = scene.open_ladder("assaut")
    users = scene.add_members(ladder, 4, day(1))
    match = challenge(users[3], users[0], day(2), "assaut")
    assert match.twin is not None
    won(match, None, day(3))
    aborted(match.twin, [users[0]], day(4))
    tick(day(5))
    assert order(ladder)[0] == "m4"


def miss(ladder: Ladder, late: User, by: User, opened: float) -> None:
    match = challenge(late, by, day(opened))
    won(match, by, day(opened + 1), TIME)
    tick(day(opened + 3.1))


def test_the_second_miss_within_90_days_removes_the_member(
    ladder: Ladder, members: list[User]
) -> None:
    miss(ladder, members[5], members[4], 2)
    assert "m6" in order(ladder)
    other = challenge(members[5], members[3], day(20))
    miss(ladder, members[5], members[4], 20)
    # The other challenge runs on, and they keep the place until it is final.
    assert "m6" in order(ladder)
    assert Member.objects.get(user=members[5]).going == "missed"
    won(other, members[3], day(30))
    tick(day(31))
    assert order(ladder) == ["m1", "m2", "m3", "m4", "m5", "m7", "m8"]
    assert log_of(ladder) == [("m6", 6, None, "missed")]


def test_misses_older_than_90_days_do_not_count(ladder: Ladder, members: list[User]) -> None:
    miss(ladder, members[5], members[4], 2)
    for user in members:
        user_moved = Member.objects.filter(user=user)
        user_moved.update(check_at=day(400))
    miss(ladder, members[5], members[4], 92.5)
    assert "m6" in order(ladder)
    assert Challenge.objects.filter(challenger_missed=True).count() == 2


def test_a_set_missed_twice_is_one_miss(db: None) -> None:
    ladder = scene.open_ladder("assaut")
    users = scene.add_members(ladder, 4, day(1))
    match = challenge(users[3], users[0], day(2), "assaut")
    for each in (match, match.twin):
        assert each is not None
        won(each, users[0], day(5), TIME)
    tick(day(8))
    assert len(order(ladder)) == 4


def test_an_annulment_reverts_a_miss_and_leaves_the_places(
    ladder: Ladder, members: list[User]
) -> None:
    match = challenge(members[5], members[4], day(2))
    won(match, members[5], day(3), TIME)
    tick(day(6))
    assert order(ladder)[4] == "m6"
    scene.voided(match, day(7))
    tick(day(8))
    assert order(ladder)[4] == "m6"
    assert not Challenge.objects.filter(challenged_missed=True).exists()


def test_a_member_who_was_to_be_removed_for_an_annulled_miss_stays(
    ladder: Ladder, members: list[User]
) -> None:
    challenge(members[5], members[3], day(2))
    miss(ladder, members[5], members[4], 2)
    miss(ladder, members[5], members[4], 30)
    assert Member.objects.get(user=members[5]).going == "missed"
    last = Match.objects.filter(players__user=members[5]).latest("pk")
    scene.voided(last, day(34))
    tick(day(35))
    assert Member.objects.get(user=members[5]).going == ""


def test_a_reopened_challenge_is_settled_at_its_next_end(
    ladder: Ladder, members: list[User]
) -> None:
    match = challenge(members[5], members[4], day(2))
    with frozen_at(day(8)):
        assert endings.claim_time(match.pk)
    tick(day(11))
    assert scene.running(ladder) == 0
    with frozen_at(day(12)):
        moderation.reopen(match.pk, "They were ill.")
        while dispatcher.drain():
            pass
    again = Challenge.objects.get()
    assert (again.settled_at, again.final_at, again.challenger_missed) == (None, None, False)
    won(match, members[5], day(13))
    tick(day(14))
    assert log_of(ladder) == [("m6", 6, 5, "won")]


@pytest.mark.parametrize(
    "where", tiers.parameters(["_note_misses", "_move_up", "now"], fast=("_move_up",))
)
def test_a_run_after_a_kill_at_any_point_gives_the_same_result(
    ladder: Ladder, members: list[User], where: str
) -> None:
    a, b = challenge(members[3], members[2], day(2)), challenge(members[4], members[3], day(2))
    won(a, members[3], day(3), TIME)
    won(b, members[4], day(3.5), TIME)
    real = getattr(settlement, where)
    calls = []

    def killed(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    with patch.object(settlement, where, killed), pytest.raises(KeyboardInterrupt):
        tick(day(6))
        tick(day(6))
    for _again in range(2):
        tick(day(6.1))  # The lease of the killed run has expired.
    assert log_of(ladder) == [("m4", 4, 3, "won"), ("m5", 5, 3, "won")]
    assert scene.running(ladder) == 0


def test_a_run_reads_only_what_is_due(ladder: Ladder, members: list[User]) -> None:
    for other in (1, 2, 3):
        challenge(members[other + 1], members[other], day(2))
    tick(day(2.5))
    with CaptureQueriesContext(connection) as idle:
        tick(day(2.6))
    match = challenge(members[7], members[5], day(2.7))
    won(match, members[7], day(3))
    with CaptureQueriesContext(connection) as one:
        tick(day(3.1))
    assert len(idle) <= 20  # those of the lease and of tournaments too
    assert len(one) - len(idle) <= 60
