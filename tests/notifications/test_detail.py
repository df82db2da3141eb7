"""The chosen level of detail decides which bytes an e-mail contains."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.play.commands import deadlines, endings
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import (
    delivered,
    html,
    only,
    sources,
    text,
    travelling,
    words_of_html,
    words_of_text,
)
from tests.play import match_helpers

HAPPENED = ("a4 to a5", "j7", "j4", "Scout", "Miner", "captured", "Last move")
BOARD = ("S?", "~~", 'class="board"', "Capitals", ">R<")


@pytest.fixture
def turn(
    match: Match, alice: User, prefer: Callable[..., None]
) -> Callable[..., EmailMultiAlternatives]:
    """The e-mail after a battle at this level of detail, and its reminder."""

    def turn_email(detail: str, *, reminder: bool = False) -> EmailMultiAlternatives:
        prefer(alice, email_detail=detail)
        match_helpers.play(match, "a4-a5", "j7xj4")
        email = only(delivered(), alice)
        if reminder:
            with frozen_at(now() + timedelta(days=2.5)):
                deadlines.sweep()
                email = only(delivered(), alice)
        return email

    return turn_email


@pytest.mark.parametrize("reminder", [False, True])
def test_the_lowest_level_says_only_that_it_is_the_readers_turn(
    turn: Callable[..., EmailMultiAlternatives], reminder: bool
) -> None:
    email = turn("turn", reminder=reminder)
    for word in (*HAPPENED, *BOARD):
        assert word not in sources(email), word
    assert b"Scout" not in travelling(email)
    assert " left." in text(email) and words_of_text(email) == words_of_html(email)


@pytest.mark.parametrize("reminder", [False, True])
def test_the_middle_level_says_what_happened(
    turn: Callable[..., EmailMultiAlternatives], reminder: bool
) -> None:
    email = turn("move", reminder=reminder)
    assert "* Bob attacked j4 from j7: Scout against Miner." in text(email)
    for word in BOARD:
        assert word not in sources(email), word


def test_the_highest_level_shows_the_board(turn: Callable[..., EmailMultiAlternatives]) -> None:
    email = turn("board")
    assert "n?" in text(email) and 'class="board"' in html(email)


def test_an_email_about_an_ending_gives_only_its_result(
    match: Match, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, email_detail="turn")
    match_helpers.play(match, "a4-a5", "j7xj4")
    delivered()
    endings.resign(match.pk, alice)
    body = text(only(delivered(), alice))
    assert "Bob won: you resigned." in body and "Alice resigned." not in body
