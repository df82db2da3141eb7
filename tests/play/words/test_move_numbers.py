"""Move numbers: pages count moves, URLs and records count plies."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.play.commands import endings, moderation
from games.play.models.match import Match
from games.play.record.move_numbers import turns_played
from games.rules.core.basics.moves import move_number
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import People

MOVES = ("a4-a5", "j7-j6", "a5-a6")


def page(user: User, address: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(address).content.decode()


@pytest.mark.parametrize(("turns", "move"), [(0, 0), (1, 1), (2, 1), (59, 30), (60, 30), (61, 31)])
def test_a_move_is_a_turn_of_each_side(turns: int, move: int) -> None:
    assert move_number(turns) == move


def test_the_board_names_the_move_and_the_viewpoint(who: People) -> None:
    address = match_helpers.running_match(who, *MOVES).get_absolute_url()
    assert "Before the first move · you play South" in page(who.alice, f"{address}?ply=0")
    assert "After move 1 (South) · you play South" in page(who.alice, f"{address}?ply=1")
    assert "After move 1 · you play North" in page(who.bob, f"{address}?ply=2")
    assert "move 2 (South) of 2" in page(who.bob, address)


def test_a_resignation_is_no_move(who: People) -> None:
    match = match_helpers.running_match(who, *MOVES, "j6-j7")
    assert turns_played(match) == 4
    endings.resign(match.pk, who.alice)
    ended = match_helpers.as_is(match)
    assert ended.ply == match.ply + 1 and turns_played(ended) == 4
    newest = page(who.bob, f"/archive/{match.pk}/")
    assert "move 2 of 2" in newest and "After move 2 · you play North" in newest


def test_a_move_can_be_requested_by_its_number(who: People) -> None:
    match = match_helpers.running_match(who, *MOVES)
    endings.resign(match.pk, who.bob)
    assert "After move 2 (South)" in page(who.alice, f"/archive/{match.pk}/?move=2")
    assert "Before the first move" in page(who.alice, f"/archive/{match.pk}/?move=0")


def test_a_match_in_set_up_has_had_no_turn(who: People) -> None:
    assert turns_played(match_helpers.new_match(who)) == 0
    assert turns_played(match_helpers.set_up(Match.objects.get())) == 0


def overdue(match: Match) -> Match:
    """The match after it has ended on time."""
    late = now() - timedelta(hours=1)
    match.players.filter(to_act=True).update(deadline=late, check_at=late)
    assert endings.claim_time(match.pk)
    return match_helpers.as_is(match)


def test_a_reverted_ending_is_no_move(who: People) -> None:
    match = overdue(match_helpers.running_match(who, *MOVES))
    assert turns_played(match) == 3
    for _ in range(2):
        moderation.reopen(match.pk, "The server's clock was wrong.")
        match = match_helpers.as_is(match)
        assert turns_played(match) == 3
        assert "move 2 (South) of 2" in page(who.bob, match.get_absolute_url())
        match = overdue(match)
        assert turns_played(match) == 3
    moderation.void(match.pk, "The server's clock was wrong.")
    assert turns_played(match_helpers.as_is(match)) == 3


@pytest.mark.postgresql
def test_after_a_reopened_match_moves_keep_their_numbers_everywhere(who: People) -> None:
    match = overdue(match_helpers.running_match(who, *MOVES))
    moderation.reopen(match.pk, "The server's clock was wrong.")
    match = match_helpers.play(match_helpers.as_is(match), "j6-j7", "a6-a5", "j7-j6")
    listed = re.findall(
        r"\?ply=(\d+)\">([0-9–]+)</a>", page(who.alice, f"{match.get_absolute_url()}moves/")
    )
    assert listed == [
        *(("1", "1"), ("2", "1"), ("3", "2"), ("4", "–"), ("5", "–")),
        *(("6", "2"), ("7", "3"), ("8", "3")),
    ]
    endings.resign(match.pk, who.bob)
    archived = f"/archive/{match.pk}/"
    assert "After move 2 (South)" in page(who.alice, f"{archived}?move=2")
    assert "After move 3 (South)" in page(who.alice, f"{archived}?move=3")
    assert 'max="3"' in page(who.alice, archived)
    client = Client()
    client.force_login(who.alice)
    assert client.get(f"{archived}?move=4").status_code == 404


def test_a_reverted_set_up_is_no_move_either(who: People) -> None:
    match = overdue(match_helpers.new_match(who))
    moderation.reopen(match.pk, "The server's clock was wrong.")
    match = match_helpers.play(match_helpers.set_up(match_helpers.as_is(match)), *MOVES)
    assert turns_played(match) == 3
