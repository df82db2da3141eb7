"""Moves by mail: played as of the e-mail's ply, once, or refused with a reason."""

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def asked(match: Match, alice: User) -> EmailMultiAlternatives:
    """The e-mail that it is Alice's turn."""
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.letter(alice)


def test_a_move_is_played_and_its_receipt_says_so(
    match: Match, alice: User, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4-b5\n\nWell, well.\n")
    assert post.outcome(receipt) == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert text(receipt).startswith("Played: b4-b5.")


def test_the_receipt_has_the_headers_of_an_answer(
    match: Match, alice: User, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4-b5", message_id="<this@example.org>")
    headers = receipt.extra_headers
    assert headers["In-Reply-To"] == "<this@example.org>"
    assert headers["References"].split() == [
        f"<match.{match.pk}@localhost>",
        "<this@example.org>",
    ]
    assert headers["Auto-Submitted"] == "auto-replied"
    assert headers["Reply-To"] not in ("", post.reply_to(asked))
    assert receipt.to == [alice.email]


def test_the_same_message_again_is_taken_and_answered_once(
    alice: User, asked: EmailMultiAlternatives
) -> None:
    raw = post.written(alice, "b4-b5")
    post.take(asked, raw)
    post.take(asked, raw)
    assert len(post.letters(alice)) == 1


def test_the_same_move_in_another_message_is_told_as_repeated(
    alice: User, asked: EmailMultiAlternatives
) -> None:
    post.answer(alice, asked, "b4-b5")
    assert post.outcome(post.answer(alice, asked, "b4 b5")) == "repeated"


def test_another_move_to_an_old_letter_is_stale(
    alice: User, match: Match, asked: EmailMultiAlternatives
) -> None:
    post.answer(alice, asked, "b4-b5")
    receipt = post.answer(alice, asked, "b5-b6")
    assert post.outcome(receipt) == "stale"
    assert match_helpers.as_is(match).ply == match.ply + 1


def test_an_illegal_move_is_refused_with_the_rule_and_the_squares(
    alice: User, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4-b9")
    assert post.outcome(receipt) == "refused"
    assert "b4" in text(receipt) and "b9" in text(receipt)


def test_a_cross_claims_an_enemy_and_is_refused_on_an_empty_square(
    alice: User, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4xb5")
    assert post.outcome(receipt) == "refused"
    assert "There is no enemy piece on b5" in text(receipt)
    assert post.outcome(post.answer(alice, receipt, "b4 b5")) == "played"


def test_two_moves_are_ambiguous_and_neither_is_played(
    alice: User, match: Match, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4-b5\ne4-e5")
    assert post.outcome(receipt) == "ambiguous"
    assert "(a)“b4-b5”, (b)“e4-e5”" in text(receipt)
    assert match_helpers.as_is(match).ply == match.ply


def test_a_receipt_can_be_answered_and_so_on(alice: User, asked: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, asked, "b4-b5")
    assert post.outcome(post.answer(alice, receipt, "b5-b6")) == "refused"
    assert post.outcome(post.answer(alice, receipt, "draw?")) == "offered"


def test_a_draw_offer_may_go_with_a_move(
    alice: User, match: Match, asked: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, asked, "b4-b5\ndraw?")
    assert post.outcome(receipt) == "played"
    assert match_helpers.as_is(match).draw_offer == 0


def test_prose_has_one_explanation_an_hour(alice: User, asked: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, asked, "What a lovely game.")
    assert post.outcome(receipt) == "unread"
    assert post.answers(alice, asked, "Is anybody there?") == []
    assert post.last().outcome == "unread"


def test_a_program_that_answers_explanations_gets_no_second_one(
    alice: User, asked: EmailMultiAlternatives
) -> None:
    explanation = post.answer(alice, asked, "I am away until Monday.")
    assert post.outcome(explanation) == "unread"
    assert post.answers(alice, explanation, "I am away until Monday.") == []


def test_a_match_that_is_over_takes_no_move(who: People, alice: User) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    letter = post.letter(alice)
    match_helpers.resign(match, Seat.NORTH)
    receipt = post.answer(alice, letter, "b4-b5")
    assert post.outcome(receipt) == "over"
    assert "Alice won" in text(receipt)


def test_a_match_that_went_on_and_is_over_is_over(who: People, alice: User) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    letter = post.letter(alice)
    match_helpers.resign(match_helpers.play(match, "b4-b5"), Seat.NORTH)
    assert post.outcome(post.answer(alice, letter, "e4-e5")) == "over"
    assert post.outcome(post.answer(alice, letter, "b4-b5")) == "repeated"
