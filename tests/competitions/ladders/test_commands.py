"""Joining, leaving and challenging: each rule, in the words of its refusal."""

import pytest

from accounts.models import User
from accounts.people.closing import close_later
from accounts.people.erasure import erase
from games.competitions.ladders import commands, links
from games.competitions.ladders.models import Challenge, Change, Ladder, Member
from games.people.models import Block, Outcome
from games.play.models.match import Match, Player
from games.play.models.time import Vacation
from games.play.ports import event_of
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import (
    FAMILY,
    TIME,
    aborted,
    add_members,
    challenge,
    log_of,
    order,
    tick,
    won,
)
from tests.people.moderation import cases
from tests.play.match_helpers import People
from tests.ratings.results import day, finished

pytestmark = pytest.mark.django_db


def refused(challenger: User, challenged: User, at: float, family: str = FAMILY) -> str:
    with pytest.raises(Refusal) as refusal:
        challenge(challenger, challenged, day(at), family)
    return str(refusal.value)


def joins(user: User, at: float, family: str = FAMILY) -> Member:
    with frozen_at(day(at)):
        return commands.join(family, user)


def leaves(user: User, at: float, family: str = FAMILY) -> bool:
    with frozen_at(day(at)):
        return commands.leave(family, user)


def test_a_new_member_is_last(ladder: Ladder, members: list[User], bob: User) -> None:
    finished(bob, members[0], "N", day(2), rated=False)
    assert joins(bob, 3).place == 9
    # Twice is once.
    assert joins(bob, 4).joined_at == day(3)
    assert order(ladder)[-1] == "Bob"
    assert list(Change.objects.values_list("user", "from_place", "to_place", "why")) == [
        (bob.pk, None, 9, "joined")
    ]


@pytest.mark.parametrize("turns", [0, 1])
def test_a_player_without_a_finished_match_cannot_join(
    ladder: Ladder, bob: User, turns: int
) -> None:
    if turns:
        finished(bob, scene.people(1)[0], "S", day(1), turns=1)
    with pytest.raises(Refusal, match="finish one match against a person first"):
        joins(bob, 3)


def test_a_barred_player_cannot_join_or_challenge(ladder: Ladder, members: list[User]) -> None:
    for number in range(3):
        finished(members[7], members[0], "N", day(2), moved_at=day(2))
        Player.objects.filter(user=members[7]).update(missed_at=day(2 + number / 10))
    assert "You have lost on time" in refused(members[7], members[5], 3)
    Member.objects.filter(user=members[7]).delete()
    with pytest.raises(Refusal, match="You have lost on time"):
        joins(members[7], 3)


def test_a_challenge_opens_the_match_on_the_terms_of_the_ladder(
    ladder: Ladder, members: list[User]
) -> None:
    match = challenge(members[5], members[4], day(2))
    assert (match.preset, match.pace, match.setup_pace) == ("lattaque-en", "3d", "5d")
    assert (match.rated, match.vacations, match.twin) == (True, True, None)
    assert set(match.players.values_list("user", flat=True)) == {members[4].pk, members[5].pk}
    row = Challenge.objects.get()
    assert (row.challenger, row.challenged, row.match) == (members[5], members[4], match)


def test_both_sides_are_drawn(ladder: Ladder, members: list[User]) -> None:
    seats = set()
    for number in range(20):
        match = challenge(members[5], members[4], day(2 + number))
        seats.add(match.players.get(user=members[5]).seat)
        Challenge.objects.all().delete()
        Player.objects.update(live=False)
        if len(seats) == 2:
            break
    assert seats == {0, 1}


def test_a_challenge_reaches_a_limited_number_of_places_up(
    ladder: Ladder, members: list[User]
) -> None:
    assert "too far above you. You can challenge up to 3 places" in refused(
        members[7], members[3], 2
    )
    challenge(members[7], members[4], day(2))
    assert "stands below you" in refused(members[4], members[5], 2)
    assert "cannot challenge yourself" in refused(members[4], members[4], 2)


def test_a_player_who_is_not_on_the_ladder_neither_challenges_nor_is_challenged(
    ladder: Ladder, members: list[User], bob: User
) -> None:
    assert "You are not on this ladder" in refused(bob, members[0], 2)
    assert "no member called “Bob”" in refused(members[0], bob, 2)
    with pytest.raises(Refusal, match="no member called “Nobody”"), frozen_at(day(2)):
        commands.challenge(FAMILY, members[3], "Nobody")


def test_a_member_has_at_most_two_challenges_out(ladder: Ladder, members: list[User]) -> None:
    first = challenge(members[7], members[6], day(2))
    challenge(members[7], members[5], day(2))
    assert "You have challenged 2 members" in refused(members[7], members[4], 3)
    won(first, members[6], day(4))
    tick(day(5))
    challenge(members[7], members[4], day(6))


def test_a_member_has_at_most_two_challenges_in_and_the_top_three(db: None) -> None:
    members = add_members(scene.open_ladder(), 40, day(1))
    for number in (6, 7):
        challenge(members[number], members[5], day(2))
    assert "m6 has been challenged 2 times" in refused(members[8], members[5], 3)
    for number in (5, 6, 7):
        challenge(members[number], members[4], day(2))
    assert "m5 has been challenged 3 times" in refused(members[8], members[4], 3)


def test_a_challenge_counts_as_in_for_30_days(db: None) -> None:
    ladder = scene.open_ladder()
    members = add_members(ladder, 12, day(1))
    for number in (6, 7):
        challenge(members[number], members[5], day(2))
    assert "has been challenged" in refused(members[8], members[5], 31.9)
    challenge(members[8], members[5], day(32.1))
    # They still count as those of the challengers.
    assert "running" in refused(members[6], members[5], 33)


def test_a_pair_has_one_challenge_at_a_time_over_all_ladders(
    ladder: Ladder, members: list[User]
) -> None:
    other = scene.open_ladder("tactique")
    add_members(other, 8, day(1), members[::-1])
    match = challenge(members[5], members[4], day(2))
    assert "is running" in refused(members[5], members[4], 3)
    assert "is running" in refused(members[4], members[5], 3, "tactique")
    won(match, members[4], day(4))
    tick(day(5))
    # The days of rest are those of one ladder.
    challenge(members[4], members[5], day(5), "tactique")


def test_a_pair_rests_14_days(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[5], members[4], day(2))
    won(match, members[4], day(4))
    tick(day(5))
    assert "ended less than 14 days ago" in refused(members[5], members[4], 17.9)
    challenge(members[5], members[4], day(18.1))


def test_the_days_of_rest_are_counted_from_the_end_on(ladder: Ladder, members: list[User]) -> None:
    won(challenge(members[5], members[4], day(2)), members[5], day(4))
    tick(day(5))
    assert "ended less than 14 days ago" in refused(members[4], members[5], 10)


def vacation(user: User, start: float, end: float, *, planned: bool = True) -> None:
    Vacation.objects.create(user=user, start=day(start), end=day(end), planned=planned)
    User.objects.filter(pk=user.pk).update(away_until=day(end))


def test_a_vacation_protects_for_14_days(ladder: Ladder, members: list[User]) -> None:
    vacation(members[4], 10, 30)
    assert "m5 is on vacation" in refused(members[5], members[4], 23.9)
    challenge(members[5], members[4], day(24.1))
    assert "You are on vacation" in refused(members[4], members[3], 25)
    challenge(members[4], members[3], day(30.1))


def test_vacation_hours_taken_by_the_clock_protect_from_nothing(
    ladder: Ladder, members: list[User]
) -> None:
    vacation(members[4], 10, 30, planned=False)
    challenge(members[5], members[4], day(11))


def test_the_cap_of_the_challenger_counts_and_that_of_the_challenged_does_not(
    ladder: Ladder, members: list[User]
) -> None:
    for number in range(10):
        finished(members[4], members[0], "S", day(2 + number), rated=False)
    Player.objects.filter(match__rated=False).update(live=True)
    challenge(members[5], members[4], day(20))
    assert "at once, and this would be more" in refused(members[4], members[3], 20)


def test_blocks_and_preferences_do_not_prevent_challenges(
    ladder: Ladder, members: list[User]
) -> None:
    Block.objects.create(owner=members[4], blocked=members[5], made_at=day(1))
    User.objects.filter(pk=members[4].pk).update(no_challenges=True)
    challenge(members[5], members[4], day(2))


def test_a_pair_that_may_not_play_a_rated_match_plays_a_friendly_one(
    ladder: Ladder, members: list[User]
) -> None:
    for number in range(2):
        finished(members[4], members[5], "S", day(2 + number))
    Player.objects.update(live=True)
    assert not challenge(members[5], members[4], day(5)).rated


def test_a_friendly_ladder_has_friendly_matches(db: None) -> None:
    members = add_members(scene.open_ladder(rated=False), 3, day(1))
    assert not challenge(members[2], members[0], day(2)).rated


def test_a_member_who_leaves_is_removed_at_once_without_a_running_challenge(
    ladder: Ladder, members: list[User]
) -> None:
    assert leaves(members[2], 2)
    assert order(ladder) == ["m1", "m2", "m4", "m5", "m6", "m7", "m8"]
    assert log_of(ladder) == [("m3", 3, None, "left")]
    with pytest.raises(Refusal, match="not on this ladder"):
        leaves(members[2], 3)


def test_leaving_does_not_cancel_a_running_challenge(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[5], members[2], day(2))
    assert not leaves(members[2], 3)
    assert not leaves(members[2], 3)
    assert "is leaving" in refused(members[4], members[2], 4)
    assert "You are leaving" in refused(members[2], members[1], 4)
    with pytest.raises(Refusal, match="still leaving"):
        joins(members[2], 4)
    won(match, members[5], day(5))
    tick(day(6))
    assert order(ladder) == ["m1", "m2", "m6", "m4", "m5", "m7", "m8"]
    assert log_of(ladder) == [("m6", 6, 3, "won"), ("m3", 4, None, "left")]


def test_a_challenger_who_leaves_keeps_the_place_until_the_result(
    ladder: Ladder, members: list[User]
) -> None:
    match = challenge(members[5], members[2], day(2))
    leaves(members[5], 3)
    aborted(match, [members[5]], day(5))
    tick(day(6))
    assert log_of(ladder) == [("m6", 6, None, "left")]


def test_a_member_dropped_for_misses_can_join_again_after_30_days(
    ladder: Ladder, members: list[User]
) -> None:
    finished(members[5], members[0], "S", day(1.5), rated=False)
    for number, other in enumerate((members[4], members[3])):
        match = challenge(members[5], other, day(2 + number))
        won(match, other, day(10 + number), TIME)
    tick(day(14))
    assert log_of(ladder) == [("m6", 6, None, "missed")]
    with pytest.raises(Refusal, match="join again: 1"):
        joins(members[5], 43.5)
    assert joins(members[5], 44.1).place == 8
    # What was missed before still counts.
    match = challenge(members[5], members[6], day(45))
    won(match, members[6], day(50), TIME)
    tick(day(53))
    assert "m6" not in order(ladder)


def test_a_closed_account_is_removed_once_its_challenges_are_final(
    ladder: Ladder, members: list[User]
) -> None:
    match = challenge(members[5], members[2], day(2))
    with frozen_at(day(3)):
        assert [sentence for sentence, _page in links.at_closing(members[2].pk)] == [
            "You would leave the ladder of L'Attaque, where you hold place 3."
        ]
        erase(members[2])
    match.refresh_from_db()
    assert match.reason == "aborted"
    tick(day(4))
    assert order(ladder) == ["m1", "m2", "m6", "m4", "m5", "m7", "m8"]
    assert [row[1:] for row in log_of(ladder)] == [(6, 3, "won"), (4, None, "closed")]


def test_an_account_that_will_be_closed_starts_nothing(
    ladder: Ladder, members: list[User], bob: User
) -> None:
    closes_at = day(300)
    User.objects.filter(pk__in=(members[2].pk, bob.pk)).update(closes_at=closes_at)
    bob.refresh_from_db()
    finished(bob, members[0], "N", day(2), rated=False)
    with pytest.raises(Refusal, match="begin nothing new"):
        joins(bob, 3)
    assert "begin nothing new" in refused(members[2], members[1], 3)
    assert "is leaving this ladder" in refused(members[3], members[2], 3)


def test_closing_later_leaves_the_ladder_once_its_challenges_are_final(
    ladder: Ladder, members: list[User]
) -> None:
    challenge(members[3], members[2], day(2))
    with frozen_at(day(3)):
        assert not close_later(members[2])
    assert Member.objects.get(user=members[2]).going == "closed"
    assert order(ladder)[2] == "m3"


def test_blocking_a_member_by_a_moderator_removes_them(ladder: Ladder, who: People) -> None:
    add_members(ladder, 2, day(1), [who.alice, who.bob])
    cases.decided(cases.reported(who), who.charlie, Outcome.BLOCKED)
    assert order(ladder) == ["Bob"]
    assert log_of(ladder) == [("Alice", 1, None, "closed")]


def test_a_match_of_a_challenge_names_the_ladder(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[3], members[2], day(2))
    assert match.event == "ladder/lattaque"
    assert event_of(match.event) == ("Ladder of L'Attaque", "/ladders/lattaque/")
    assert event_of("ladder/tactique") is None


def test_members_of_one_ladder_count_as_competitors(
    ladder: Ladder, members: list[User], bob: User, charlie: User
) -> None:
    add_members(scene.open_ladder("tactique"), 2, day(1), [members[0], bob])
    add_members(scene.open_ladder("assaut"), 1, day(1), [charlie])
    for fellow in (*members[1:], bob):
        assert links.compete(members[0].pk, fellow.pk) and links.compete(fellow.pk, members[0].pk)
    assert not links.compete(members[0].pk, charlie.pk)
    assert not links.compete(members[1].pk, bob.pk)


def test_a_ladder_that_was_not_opened_cannot_be_joined(db: None, bob: User) -> None:
    with pytest.raises(Ladder.DoesNotExist):
        joins(bob, 2)
    assert not Match.objects.exists()


def test_a_member_of_a_set_ladder_needs_room_for_two(db: None) -> None:
    members = add_members(scene.open_ladder("assaut"), 2, day(1))
    for number in range(9):
        finished(members[1], members[0], "S", day(2 + number), rated=False)
    Player.objects.filter(match__rated=False).update(live=True)
    assert "at once" in refused(members[1], members[0], 20, "assaut")
    Player.objects.filter(match=Match.objects.earliest("pk")).update(live=False)
    match = challenge(members[1], members[0], day(20), "assaut")
    assert match.twin is not None
