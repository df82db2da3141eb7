"""Sets of two: two matches at once with sides swapped, and one overall result."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.play.commands import deadlines, endings, moderation
from games.play.models.match import Match, Status, by_seat
from games.play.words import sets
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People

FIRST = ("d4-d5", "c7-c6")  # a soldier, then an officer


@pytest.fixture
def pair(who: People) -> tuple[Match, Match]:
    """Both running matches; Alice has the soldiers in the first, the officers in the second."""
    first, second = match_helpers.open_set(who)
    for match in (first, second):
        match_helpers.play(match_helpers.set_up(match), *FIRST)
    return first, second


def score_text(match: Match) -> str:
    match = Match.objects.select_related("twin").get(pk=match.pk)
    return sets.score_text(
        match, {seat: str(player.user) for seat, player in by_seat(match).items()}
    )


def page(user: User, address: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(address).content.decode()


def draw(match: Match, who: People) -> None:
    endings.offer_draw(match.pk, who.alice)
    endings.accept_draw(match.pk, who.bob)


def test_the_sides_are_swapped_and_the_matches_refer_to_each_other(who: People) -> None:
    first, second = match_helpers.open_set(who)
    assert (first.twin, second.twin) == (second, first)
    assert by_seat(first)[Seat.SOUTH].user == by_seat(second)[Seat.NORTH].user == who.alice
    assert by_seat(first)[Seat.NORTH].user == by_seat(second)[Seat.SOUTH].user == who.bob


def test_a_single_match_does_not_mention_a_set(who: People) -> None:
    assert score_text(match_helpers.new_match(who, "assaut")) == ""


def test_a_set_begins_at_zero_to_zero(pair: tuple[Match, Match]) -> None:
    first, second = pair
    assert score_text(first) == f"Set with match {second.pk} so far: Alice 0, Bob 0."


def test_after_one_match_it_says_who_leads(who: People, pair: tuple[Match, Match]) -> None:
    first, second = pair
    endings.resign(first.pk, who.bob)
    assert score_text(first) == f"Set with match {second.pk} so far: Alice 1, Bob 0."
    assert score_text(second) == f"Set with match {first.pk} so far: Alice 1, Bob 0."


@pytest.mark.parametrize(
    ("results", "words"),
    [
        (("alice", "alice"), "Alice won the set with match %s, 2 to 0."),
        (("alice", "draw"), "Alice won the set with match %s, 1½ to ½."),
        (("draw", "bob"), "Bob won the set with match %s, 1½ to ½."),
        (("alice", "bob"), "The set with match %s is drawn, 1 to 1."),
        (("draw", "draw"), "The set with match %s is drawn, 1 to 1."),
    ],
)
def test_both_matches_show_the_one_result(
    who: People, pair: tuple[Match, Match], results: tuple[str, str], words: str
) -> None:
    for match, winner in zip(pair, results, strict=True):
        if winner == "draw":
            draw(match, who)
        else:
            endings.resign(match.pk, who.bob if winner == "alice" else who.alice)
    assert score_text(pair[0]) == words % pair[1].pk
    assert score_text(pair[1]) == words % pair[0].pk


def test_a_match_that_staff_ended_leaves_the_set_without_a_result(who: People) -> None:
    first, second = match_helpers.open_set(who)
    match_helpers.play(match_helpers.set_up(first), *FIRST)
    endings.resign(first.pk, who.bob)
    moderation.void(second.pk, "A fault of the server")
    words = "The set with match %s has no result: one of its matches ended without one."
    assert score_text(first) == words % second.pk
    assert score_text(second) == words % first.pk


@pytest.mark.parametrize(
    ("winner", "words"),
    [
        ("alice", "Alice won the set with match %(other)s, 2 to 0."),
        ("bob", "The set with match %(other)s is drawn, 1 to 1."),
        ("draw", "Alice won the set with match %(other)s, 1½ to ½."),
    ],
)
def test_an_aborted_match_is_lost_by_the_player_who_aborted_it(
    who: People, winner: str, words: str
) -> None:
    first, second = match_helpers.open_set(who)
    match_helpers.play(match_helpers.set_up(first), *FIRST)
    endings.abort(second.pk, who.bob)
    so_far = (
        f"Alice 1, Bob 0. Bob did not play match {second.pk}, which is lost if the other match has "
        "a result."
    )
    assert score_text(first) == f"Set with match {second.pk} so far: {so_far}"
    assert score_text(second) == f"Set with match {first.pk} so far: {so_far}"
    if winner == "draw":
        draw(first, who)
    else:
        endings.resign(first.pk, who.bob if winner == "alice" else who.alice)
    unplayed = f"Bob did not play match {second.pk}, which is lost."
    assert score_text(first) == f"{words % {'other': second.pk}} {unplayed}"
    assert score_text(second) == f"{words % {'other': first.pk}} {unplayed}"


def test_a_player_who_aborts_a_match_of_a_set_is_warned(who: People) -> None:
    first, second = match_helpers.open_set(who)
    warning = f"It belongs to a set: you lose it if match {first.pk} has a result."
    assert warning in page(who.bob, f"/match/{second.pk}/abort/")
    single = match_helpers.new_match(who, "assaut")
    assert "It belongs to a set" not in page(who.bob, f"/match/{single.pk}/abort/")


def test_a_match_without_set_ups_counts_half_for_each(who: People) -> None:
    first, second = match_helpers.open_set(who, "lattaque-en")
    match_helpers.play(match_helpers.set_up(first), *match_helpers.FIRST_MOVES)
    with frozen_at(now() + timedelta(days=6)):
        deadlines.sweep()
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.status == Status.FINISHED
    assert second.forfeited_by == "01"
    winner = by_seat(first)[Seat(first.rules.seat_letters.index(first.result))].user
    unplayed = f"Neither player played match {second.pk}, which counts half for each."
    expected = f"{winner} won the set with match {second.pk}, 1½ to ½. {unplayed}"
    assert score_text(first) == expected


def test_a_set_without_a_played_match_has_no_result(who: People) -> None:
    first, second = match_helpers.open_set(who)
    endings.abort(first.pk, who.alice)
    endings.abort(second.pk, who.bob)
    words = "The set with match %s has no result: neither of its matches has one."
    assert score_text(first) == words % second.pk
    assert score_text(second) == words % first.pk


def test_pages_archive_and_emails_say_who_lost_the_unplayed_match(who: People) -> None:
    first, second = match_helpers.open_set(who)
    match_helpers.play(match_helpers.set_up(first), *FIRST)
    endings.abort(second.pk, who.bob)
    endings.resign(first.pk, who.bob)
    dispatcher.drain()
    words = "Alice won the set with match %s, 2 to 0. Bob did not play match %s, which is lost."
    for address in (f"/match/{first.pk}/", f"/archive/{first.pk}/", "/archive/"):
        assert words % (second.pk, second.pk) in page(who.alice, address), address
    assert words % (first.pk, second.pk) in page(who.alice, f"/match/{second.pk}/")
    over = [email for email in mail.outbox if email.to == [who.alice.email]][-1]
    assert words % (second.pk, second.pk) in " ".join(str(over.body).split())


def test_pages_and_lists_show_the_score_of_the_set(who: People, pair: tuple[Match, Match]) -> None:
    first, second = pair
    endings.resign(first.pk, who.bob)
    so_far = "Set with match %s so far: Alice 1, Bob 0."
    for address in (f"/match/{first.pk}/", f"/archive/{first.pk}/", "/archive/"):
        assert so_far % second.pk in page(who.bob, address), address
    for address in (f"/match/{second.pk}/", "/"):
        assert so_far % first.pk in page(who.bob, address), address
    assert f'href="/match/{first.pk}/"' in page(who.charlie, f"/match/{second.pk}/")


def test_the_other_match_is_named_while_the_officers_are_placed(who: People) -> None:
    first, second = match_helpers.open_set(who)
    assert f"Set with match {first.pk} so far" in page(who.alice, f"/match/{second.pk}/")


def test_another_set_can_be_proposed_when_both_are_over(
    who: People, pair: tuple[Match, Match]
) -> None:
    first, second = pair
    endings.resign(first.pk, who.bob)
    assert "Another set of two" not in page(who.alice, f"/match/{first.pk}/")
    endings.resign(second.pk, who.bob)
    assert "Another set of two" in page(who.alice, f"/match/{first.pk}/")


@pytest.mark.parametrize("number", [1, 6])
def test_lists_of_sets_cost_a_fixed_number_of_queries(
    who: People, number: int, django_assert_max_num_queries: object
) -> None:
    for _set in range(number):
        first, _second = (match_helpers.set_up(match) for match in match_helpers.open_set(who))
        match_helpers.play(first, *FIRST)
        endings.resign(first.pk, who.bob)
    client = Client()
    client.force_login(who.alice)
    for address, most in (("/", 9), ("/archive/", 5), (f"/match/{first.pk}/", 8)):
        client.get(address)
        with django_assert_max_num_queries(most):  # type: ignore[operator]
            assert client.get(address).status_code == 200
