"""Sets of two: two matches at once with sides swapped, and one overall result."""

import pytest
from django.test import Client

from accounts.models import User
from games.play.commands import endings, moderation
from games.play.models.match import Match, Status, by_seat
from games.play.words import sets
from games.rules.core.basics.pieces import Seat
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


def test_the_sides_are_swapped_and_each_match_knows_the_other(who: People) -> None:
    first, second = match_helpers.open_set(who)
    assert (first.twin, second.twin) == (second, first)
    assert by_seat(first)[Seat.SOUTH].user == by_seat(second)[Seat.NORTH].user == who.alice
    assert by_seat(first)[Seat.NORTH].user == by_seat(second)[Seat.SOUTH].user == who.bob


def test_a_single_match_says_nothing_of_a_set(who: People) -> None:
    assert score_text(match_helpers.new_match(who, "assaut")) == ""


def test_it_begins_with_nothing_to_nothing(pair: tuple[Match, Match]) -> None:
    first, second = pair
    assert score_text(first) == f"Set with match {second.pk} so far: Alice 0, Bob 0."


def test_after_one_match_it_tells_who_leads(who: People, pair: tuple[Match, Match]) -> None:
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
def test_both_matches_tell_the_one_result(
    who: People, pair: tuple[Match, Match], results: tuple[str, str], words: str
) -> None:
    for match, winner in zip(pair, results, strict=True):
        if winner == "draw":
            draw(match, who)
        else:
            endings.resign(match.pk, who.bob if winner == "alice" else who.alice)
    assert score_text(pair[0]) == words % pair[1].pk
    assert score_text(pair[1]) == words % pair[0].pk


@pytest.mark.parametrize("status", [Status.VOID, Status.CANCELLED])
def test_a_match_without_a_result_leaves_the_set_without_one(who: People, status: Status) -> None:
    first, second = match_helpers.open_set(who)
    match_helpers.play(match_helpers.set_up(first), *FIRST)
    endings.resign(first.pk, who.bob)
    if status == Status.VOID:
        moderation.void(second.pk, "A fault of the server")
    else:
        endings.abort(second.pk, who.bob)
    words = "The set with match %s has no result: one of its matches ended without one."
    assert score_text(first) == words % second.pk
    assert score_text(second) == words % first.pk


def test_pages_and_lists_tell_how_the_set_stands(who: People, pair: tuple[Match, Match]) -> None:
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


def test_another_set_is_asked_for_when_both_are_over(
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
