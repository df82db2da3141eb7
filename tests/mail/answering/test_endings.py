"""Endings, draws and time by mail: what is asked back, what is bound to its e-mail."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.play.commands import endings
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def played(match: Match) -> Match:
    return match_helpers.play(match, "a4-a5", "j7-j6")


def test_resigning_is_asked_back_and_done_with_a_yes(played: Match, alice: User) -> None:
    asked = post.answer(alice, post.letter(alice), "resign")
    assert post.outcome(asked) == "asked"
    assert f"match {played.pk}" in text(asked) and "Bob wins" in text(asked)
    assert match_helpers.as_is(played).is_live
    assert post.outcome(post.answer(alice, asked, "yes")) == "resigned"
    assert match_helpers.as_is(played).result == "N"


def test_yes_answers_the_letter_that_asked_and_no_other(played: Match, alice: User) -> None:
    turn = post.letter(alice)
    post.answer(alice, turn, "resign")
    assert post.outcome(post.answer(alice, turn, "yes")) == "refused"
    assert match_helpers.as_is(played).is_live


def test_yes_comes_too_late_when_the_match_has_moved_on(played: Match, alice: User) -> None:
    asked = post.answer(alice, post.letter(alice), "resign")
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(alice, asked, "yes")) == "stale"


def test_before_the_first_move_the_answer_offers_to_abort(match: Match, alice: User) -> None:
    match_helpers.new_match(People(alice, User.objects.get(username="Bob"), alice))
    letter = post.letter(alice)
    asked = post.answer(alice, letter, "resign")
    assert post.outcome(asked) == "asked" and "aborted without a result" in " ".join(
        text(asked).split()
    )
    post.answer(alice, asked, "yes")
    assert Match.objects.latest("pk").status == Status.CANCELLED


def test_a_draw_is_offered_and_accepted(played: Match, alice: User, bob: User) -> None:
    receipt = post.answer(alice, post.letter(alice), "draw?")
    assert post.outcome(receipt) == "offered"
    assert post.outcome(post.answer(alice, receipt, "remis")) == "repeated"
    endings.decline_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, receipt, "nulle?")) == "offered"
    assert match_helpers.as_is(played).draw_offer == Seat.SOUTH


def test_a_draw_is_accepted_by_the_letter_that_tells_of_it(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, bob)
    letter = post.letter(alice)
    assert post.outcome(post.answer(alice, letter, "accept")) == "accepted"
    assert match_helpers.as_is(played).result == "draw"


def test_an_offer_lapses_with_its_ply(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, bob)
    letter = post.letter(alice)
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(alice, letter, "accept")) == "stale"
    assert match_helpers.as_is(played).is_live


def test_a_draw_is_declined(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, post.letter(alice), "decline")) == "declined"
    assert match_helpers.as_is(played).draw_offer is None


def test_a_day_is_given(played: Match, alice: User, bob: User) -> None:
    match_helpers.play(played, "b4-b5")
    letter = post.letter(bob)
    match_helpers.play(played, "j6-j5")
    before = Player.objects.get(match=played, user=alice).deadline
    assert before is not None
    receipt = post.answer(bob, letter, "wait 1d")
    assert post.outcome(receipt) == "given"
    assert Player.objects.get(match=played, user=alice).deadline == before + timedelta(days=1)


def test_more_than_a_day_is_refused(played: Match, bob: User) -> None:
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(bob, post.letter(bob), "wait 3d")) == "refused"


def test_a_win_on_time_is_claimed(played: Match, alice: User) -> None:
    letter = post.letter(alice)
    match_helpers.play(played, "b4-b5")
    Match.objects.filter(pk=played.pk).update(soft=True)
    assert post.outcome(post.answer(alice, letter, "claim")) == "refused"
    with frozen_at(now() + timedelta(days=4)):
        assert post.outcome(post.answer(alice, letter, "claim", message_id="<2@x>")) == "accepted"
    assert match_helpers.as_is(played).result == "S"


def test_a_rematch_is_offered_by_the_last_letter(played: Match, alice: User, bob: User) -> None:
    match_helpers.resign(played, Seat.NORTH)
    letter = post.letter(alice)
    assert post.outcome(post.answer(alice, letter, "board")) == "over"
    assert post.outcome(post.answer(alice, letter, "rematch")) == "offered"
    assert post.outcome(post.answer(alice, letter, "rematch!")) == "repeated"
