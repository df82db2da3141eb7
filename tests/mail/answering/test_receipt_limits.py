"""Receipts of played moves switched off: what was refused, asked or failed is still reported."""

import pytest

from accounts.models import User
from games.notifications.policy import preferences
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match
from tests.mail import post
from tests.mail.conftest import Begun
from tests.notifications.email.reading import text
from tests.play import match_helpers

LONG_NOTE = "note " + "x" * 2_050
LONG_WORDS = "say " + "x" * 1_900


def switch_off(player: User) -> User:
    preferences.change(player, receipts=False)
    player.refresh_from_db()
    return player


@pytest.mark.parametrize(
    "more", ["", "note look at h6", "say hello", "draw?", "if j6-j5 then b5-b6"]
)
def test_a_played_move_has_no_receipt(begun: Begun, more: str) -> None:
    alice = switch_off(begun.who.alice)
    assert post.answers(alice, begun.turn, f"b4-b5\n{more}") == []
    assert post.last().outcome == "played"


@pytest.mark.parametrize("query", ["board", "moves", "plan", "matches", "help"])
def test_a_query_next_to_a_move_is_answered(begun: Begun, query: str) -> None:
    alice = switch_off(begun.who.alice)
    assert post.outcome(post.answer(alice, begun.turn, f"b4-b5\n{query}")) == "played"


@pytest.mark.parametrize("failed", [LONG_NOTE, LONG_WORDS, "wait 9d", "undo"])
def test_what_failed_next_to_a_move_is_reported(begun: Begun, failed: str) -> None:
    alice = switch_off(begun.who.alice)
    receipt = post.answer(alice, begun.turn, f"b4-b5\n{failed}")
    assert post.outcome(receipt) == "played" and "Not done" in text(receipt)


def test_a_draw_that_was_offered_lately_is_reported(begun: Begun) -> None:
    alice = switch_off(begun.who.alice)
    post.answer(alice, begun.turn, "draw?")
    endings.decline_draw(begun.match.pk, begun.who.bob)
    receipt = post.answer(alice, begun.turn, "b4-b5\ndraw?")
    assert post.outcome(receipt) == "played" and "Not done" in text(receipt)


def test_a_refusal_in_one_match_is_reported_if_a_move_was_played_in_another(begun: Begun) -> None:
    who = begun.who
    matches = [match_helpers.running_match(who) for _ in range(2)]
    preferences.change(who.alice, frequency="daily")
    alice = switch_off(who.alice)
    long_ago = "2026-01-01T00:00Z"
    Dispatch.objects.filter(user=alice).update(created_at=long_ago, not_before=long_ago)
    digest = post.email(alice)
    receipt = post.answer(alice, digest, f"{matches[0].pk}: a4-a5\n{matches[1].pk}: b3-b9")
    assert "b3-b9" in text(receipt)
    played = [Match.objects.get(pk=match.pk).ply - match.ply for match in matches]
    assert played == [1, 0]
    one = f"{matches[1].pk}: a4-a5"
    assert post.answers(alice, digest, f"{one}\n{matches[0].pk}: a4-a5") != [], "It is repeated."
