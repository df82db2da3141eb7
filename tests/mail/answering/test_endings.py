"""Resign, abort, draws, time and rematch by e-mail; confirmations are bound to their e-mail."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.utils import translation

from accounts.models import User
from games.mail.answering import confirmation
from games.notifications.policy import preferences
from games.outbox.models import Dispatch
from games.play.commands import courtesies, endings
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def played(match: Match) -> Match:
    return match_helpers.play(match, "a4-a5", "j7-j6")


def test_resigning_must_be_confirmed_with_yes(played: Match, alice: User) -> None:
    question = post.answer(alice, post.email(alice), "resign")
    assert post.outcome(question) == "asked"
    assert f"match {played.pk}" in text(question) and "Bob would win" in text(question)
    assert match_helpers.as_is(played).is_live
    assert post.outcome(post.answer(alice, question, "yes")) == "resigned"
    assert match_helpers.as_is(played).result == "N"


def test_receipts_say_an_ending_once(played: Match, alice: User) -> None:
    turn = post.email(alice)
    resigned = post.answer(alice, post.answer(alice, turn, "resign"), "yes")
    words = " ".join(text(resigned).split())
    assert words.count("Bob wins") == 1 and "Bob won" not in words
    over = post.answer(alice, turn, "draw?")
    assert post.outcome(over) == "over"
    words = " ".join(text(over).split())
    assert "Bob won: you resigned." in words and words.count("Bob won") == 1


def test_a_receipt_says_until_when_another_match_waits(who: People) -> None:
    first, second = (match_helpers.running_match(who) for _ in range(2))
    emails = [email for email in post.emails(who.alice) if f"match {first.pk}" in text(email)]
    words = " ".join(text(post.answer(who.alice, emails[-1], "a4-a5")).split())
    due = Player.objects.get(match=second, user=who.alice).deadline
    assert due is not None
    assert re.search(rf"Match {second.pk} is waiting for you as well, until [^;]*{due:%Y}", words)


def test_yes_counts_only_as_a_reply_to_the_question(played: Match, alice: User) -> None:
    turn = post.email(alice)
    post.answer(alice, turn, "resign")
    assert post.outcome(post.answer(alice, turn, "yes")) == "refused"
    assert match_helpers.as_is(played).is_live


def test_yes_is_stale_once_the_match_has_moved_on(played: Match, alice: User) -> None:
    question = post.answer(alice, post.email(alice), "resign")
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(alice, question, "yes")) == "stale"


@pytest.mark.parametrize(
    ("command", "no"),
    tiers.parameters(
        product(("resign", "abort"), ("no", "nein", "non", "否", "No, thanks\n\nno.")),
        fast=(("abort", "否"), ("resign", "No, thanks\n\nno.")),
    ),
)
def test_no_closes_a_question(who: People, command: str, no: str) -> None:
    moves = ("a4-a5", "j7-j6") if command == "resign" else ()
    match = match_helpers.running_match(who, *moves)
    question = post.answer(who.alice, post.email(who.alice), command)
    assert post.outcome(question) == "asked"
    assert post.outcome(post.answer(who.alice, question, no)) == "declined"
    for late in ("yes", "ja", "oui!", "是"):
        refusal = post.answer(who.alice, question, late)
        assert post.outcome(refusal) == "refused"
        assert "You have already answered “no”" in " ".join(text(refusal).split())
    assert post.outcome(post.answer(who.alice, question, "no, really\nno")) == "repeated"
    assert match_helpers.as_is(match).is_live
    again = post.answer(who.alice, question, command)
    assert post.outcome(again) == "asked", "It is a new question, with a “yes” of its own."
    assert post.outcome(post.answer(who.alice, again, "yes")) == "resigned"


def test_a_yes_that_waits_for_confirmation_does_nothing_after_no(
    played: Match, alice: User
) -> None:
    question = post.answer(alice, post.email(alice), "resign")
    post.take(question, post.written("mallory@example.org", "yes"))
    waiting = confirmation.find(alice, post.last().pk)
    assert waiting is not None
    post.answer(alice, question, "no")
    answer = confirmation.act(waiting, timedelta(0))
    assert answer is not None and answer.outcome == "refused"
    assert match_helpers.as_is(played).is_live


def test_no_to_one_question_leaves_another_open(played: Match, alice: User) -> None:
    turn = post.email(alice)
    first, second = post.answer(alice, turn, "resign"), post.answer(alice, turn, "resign")
    post.answer(alice, first, "no")
    assert post.outcome(post.answer(alice, second, "yes")) == "resigned"


def test_a_pause_offer_says_how_to_answer_it(played: Match, alice: User, bob: User) -> None:
    courtesies.offer_pause(played.pk, bob)
    email = post.email(alice)
    words = " ".join(text(email).split())
    assert "reply “accept” to agree to it, or “decline” to decline it" in words
    assert post.outcome(post.answer(alice, email, "accept")) == "accepted"
    assert match_helpers.as_is(played).paused_at is not None


def test_a_pause_offer_is_declined_as_the_email_says(played: Match, alice: User, bob: User) -> None:
    courtesies.offer_pause(played.pk, bob)
    with translation.override("de"):
        email = post.email(alice)
    assert post.outcome(post.answer(alice, email, "ablehnen")) == "declined"
    assert match_helpers.as_is(played).pause_offer is None


def test_a_draw_and_a_pause_offered_at_once_are_distinguished(
    played: Match, alice: User, bob: User
) -> None:
    courtesies.offer_pause(played.pk, bob)
    endings.offer_draw(played.pk, bob)
    email = post.email(alice)
    words = " ".join(text(email).split())
    assert "offers both a draw and a pause: “decline” declines both" in words
    assert post.outcome(post.answer(alice, email, "accept")) == "refused"
    assert post.outcome(post.answer(alice, email, "decline")) == "declined"
    match = match_helpers.as_is(played)
    assert (match.draw_offer, match.pause_offer) == (None, None)


def test_resigning_before_the_first_move_offers_to_abort(match: Match, alice: User) -> None:
    match_helpers.new_match(People(alice, User.objects.get(username="Bob"), alice))
    email = post.email(alice)
    question = post.answer(alice, email, "resign")
    assert post.outcome(question) == "asked" and "Abort match" in " ".join(text(question).split())
    post.answer(alice, question, "yes")
    assert Match.objects.latest("pk").status == Status.CANCELLED


def test_aborting_a_match_of_a_set_says_that_it_is_lost(who: People) -> None:
    first, second = match_helpers.open_set(who)
    question = post.answer(who.bob, post.email(who.bob), f"{second.pk}: abort")
    body = " ".join(text(question).split())
    assert f"It belongs to a set: you lose it if match {first.pk} has a result." in body


def test_a_draw_is_offered_and_accepted(played: Match, alice: User, bob: User) -> None:
    receipt = post.answer(alice, post.email(alice), "draw?")
    assert post.outcome(receipt) == "offered"
    assert post.outcome(post.answer(alice, receipt, "remis")) == "repeated"
    endings.decline_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, receipt, "nulle?")) == "refused"
    match_helpers.moved_enough(played)
    assert post.outcome(post.answer(alice, receipt, "nulle?")) == "offered"
    assert match_helpers.as_is(played).draw_offer == Seat.SOUTH


def test_a_draw_is_accepted_in_reply_to_its_notification(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, bob)
    email = post.email(alice)
    assert post.outcome(post.answer(alice, email, "accept")) == "accepted"
    assert match_helpers.as_is(played).result == "draw"


@pytest.mark.parametrize("word", ["accept", "decline", "yes", "no"])
def test_an_offer_that_the_email_did_not_show_is_not_answered(
    played: Match, alice: User, bob: User, word: str
) -> None:
    before = post.email(alice)
    endings.offer_draw(played.pk, bob)
    receipt = post.answer(alice, before, word)
    words = " ".join(text(receipt).split())
    if word == "yes":
        assert post.outcome(receipt) == "refused" and "did not ask for a “yes”" in words
    else:
        assert post.outcome(receipt) == "stale"
        assert f"Not done: “{word}”. The e-mail you replied to did not show the offer" in words
        assert "Bob offers you a draw. To answer the offer, please reply to this e-mail." in words
    assert match_helpers.as_is(played).draw_offer == Seat.NORTH
    assert post.outcome(post.answer(alice, receipt, "accept")) == "accepted"
    assert match_helpers.as_is(played).result == "draw"


@pytest.mark.parametrize("word", ["accept", "yes", "decline", "no"])
def test_an_answer_to_a_pause_never_answers_a_draw(
    played: Match, alice: User, bob: User, word: str
) -> None:
    courtesies.offer_pause(played.pk, bob)
    about_pause = post.email(alice)
    courtesies.decline_pause(played.pk, alice)
    endings.offer_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, about_pause, word)) == "stale"
    match = match_helpers.as_is(played)
    assert match.is_live and match.draw_offer == Seat.NORTH


def test_of_two_offers_the_one_that_the_email_showed_is_answered(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, bob)
    about_draw = post.email(alice)
    courtesies.offer_pause(played.pk, bob)
    assert post.outcome(post.answer(alice, about_draw, "decline")) == "declined"
    match = match_helpers.as_is(played)
    assert (match.draw_offer, match.pause_offer) == (None, Seat.NORTH)


def test_an_offer_in_a_digest_is_answered(played: Match, alice: User, bob: User) -> None:
    match_helpers.play(played, "b4-b5")
    endings.offer_draw(played.pk, bob)
    preferences.change(alice, frequency="daily")
    long_ago = "2026-01-01T00:00Z"
    Dispatch.objects.filter(user=alice).update(created_at=long_ago, not_before=long_ago)
    digest = post.email(alice)
    assert "offers a draw" in text(digest)
    assert post.outcome(post.answer(alice, digest, f"{played.pk}: accept")) == "accepted"


@pytest.mark.parametrize("yes", ["yes", "ja", "oui!", "是"])
def test_a_draw_is_accepted_with_yes(played: Match, alice: User, bob: User, yes: str) -> None:
    endings.offer_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, post.email(alice), yes)) == "accepted"
    assert match_helpers.as_is(played).result == "draw"


def test_a_refusal_repeats_the_word_that_was_written(played: Match, alice: User) -> None:
    receipt = post.answer(alice, post.email(alice), "no")
    assert "Not done: “no”." in text(receipt)


def test_a_draw_offer_lapses_after_its_ply(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, bob)
    email = post.email(alice)
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(alice, email, "accept")) == "stale"
    assert match_helpers.as_is(played).is_live


def test_a_draw_is_declined(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, bob)
    assert post.outcome(post.answer(alice, post.email(alice), "decline")) == "declined"
    assert match_helpers.as_is(played).draw_offer is None


def test_a_day_is_given_to_the_opponent(played: Match, alice: User, bob: User) -> None:
    match_helpers.play(played, "b4-b5")
    email = post.email(bob)
    match_helpers.play(played, "j6-j5")
    before = Player.objects.get(match=played, user=alice).deadline
    assert before is not None
    receipt = post.answer(bob, email, "wait 1d")
    assert post.outcome(receipt) == "given"
    assert Player.objects.get(match=played, user=alice).deadline == before + timedelta(days=1)


def test_more_than_a_day_is_refused(played: Match, bob: User) -> None:
    match_helpers.play(played, "b4-b5")
    assert post.outcome(post.answer(bob, post.email(bob), "wait 3d")) == "refused"


def test_a_win_on_time_is_claimed(played: Match, alice: User) -> None:
    email = post.email(alice)
    match_helpers.play(played, "b4-b5")
    Match.objects.filter(pk=played.pk).update(soft=True)
    assert post.outcome(post.answer(alice, email, "claim")) == "refused"
    with frozen_at(now() + timedelta(days=4)):
        assert post.outcome(post.answer(alice, email, "claim", message_id="<2@x>")) == "accepted"
    assert match_helpers.as_is(played).result == "S"


def test_a_rematch_is_offered_in_reply_to_the_last_email(
    played: Match, alice: User, bob: User
) -> None:
    match_helpers.resign(played, Seat.NORTH)
    email = post.email(alice)
    assert post.outcome(post.answer(alice, email, "board")) == "over"
    assert post.outcome(post.answer(alice, email, "rematch")) == "offered"
    assert post.outcome(post.answer(alice, email, "rematch!")) == "repeated"
