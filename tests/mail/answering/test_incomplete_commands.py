"""A command word without its argument, or with an unknown one: the receipt says what is right."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.mail.reading.grammar.near_commands import WITH_ARGUMENT, incomplete_command
from games.play.models.match import Match
from tests import tiers
from tests.floors import at_least
from tests.mail import post
from tests.mail.reading.reader import is_command
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.shared_rows import shared_rows

LOBBY_VERBS = ("seat", "challenge", "join", "withdraw", "enter", "leave")
Write = Callable[[str], tuple[str, str]]
ALL_GAMES = "Names of games: lattaque, domino, tactique, assaut."


class Emails(NamedTuple):
    """Two e-mails to Alice: about her turn, and the receipt of a message to the lobby."""

    alice: User
    turn: EmailMultiAlternatives
    lobby: EmailMultiAlternatives


@pytest.fixture(scope="module")
def emails(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Emails]:
    with shared_rows(django_db_blocker), override_settings(DEMO=True, MAIL_AUTHSERV_ID=""):
        who = match_helpers.people()
        match_helpers.running_match(who)
        turn = post.email(who.alice)
        yield Emails(who.alice, turn, post.answer(who.alice, turn, "matches"))


@pytest.fixture
def write(emails: Emails, db: None) -> Write:
    """Alice answers the e-mail about her turn; returns the outcome and the text of the receipt."""
    alice, turn, lobby = deepcopy(emails)

    def answered(message: str) -> tuple[str, str]:
        email = lobby if message.split()[0] in LOBBY_VERBS else turn
        receipt: EmailMultiAlternatives = post.answer(alice, email, message)
        return post.outcome(receipt), " ".join(text(receipt).split())

    return answered


@pytest.mark.parametrize(
    "line",
    tiers.parameters(
        ("seat chess", "platz schach", "place échecs", "座位 西洋棋", "seat"),
        fast=("seat chess", "座位 西洋棋", "seat"),
    ),
)
def test_a_seat_of_an_unknown_game_is_answered_with_the_games(write: Write, line: str) -> None:
    outcome, receipt = write(line)
    assert outcome == "unread"
    assert "A game has to follow: “seat domino 3d” is an example." in receipt
    assert ALL_GAMES in receipt
    assert "tactique-volley-all" in receipt


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("play chess", ALL_GAMES),
        ("challenge clara chess", ALL_GAMES),
        ("fordere clara", ALL_GAMES),
        ("échelle échecs", ALL_GAMES),
        ("join twelve", "has to follow: “join 12”"),
        ("zurückziehen x", "has to follow: “join 12”"),
        ("inscrire", "has to follow: “enter 7”"),
        ("退出 甲", "has to follow: “enter 7”"),
        ("wait 1h", "can be given: “wait 1d”"),
        ("等待", "can be given: “wait 1d”"),
        ("sag", "Your own words have to follow"),
        ("setup", "the name of a saved set-up"),
        ("board x", "can follow: “board 7”"),
        ("règles échecs", "can follow: “board 7”"),
    ],
)
def test_the_receipt_says_what_has_to_follow(write: Write, line: str, sentence: str) -> None:
    outcome, receipt = write(line)
    assert outcome == "unread"
    assert sentence in receipt


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("seat dominoo", ("There is no game called “dominoo”.", ALL_GAMES)),
        ("seat lattaque-xx 3d", ("There is no game called “lattaque-xx”.", "lattaque-zh, ")),
        ("seat lattaque xx", ("Write the time per move as 3d or 36h", ALL_GAMES)),
        ("seat domino 3x", ("Write the time per move as 3d or 36h",)),
        ("challenge nobody domino", ("There is no player called “nobody”.",)),
        ("join 99", ("There is no invitation with that number", "Write “lobby”")),
        (
            "withdraw 99",
            ("You have no open invitation with that number", "“withdraw 12” withdraws"),
        ),
        ("enter 99", ("There is no tournament with that number", "Write “tournaments”")),
        ("leave 99", ("You do not play in a tournament", "Write “tournaments”")),
        ("ladder domino", ("There is no ladder of “domino”.",)),
        ("moves 99", ("You have no match with the number 99.", "Write “matches”")),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(
    write: Write, line: str, sentences: tuple[str, ...]
) -> None:
    outcome, receipt = write(line)
    assert outcome == "refused"
    for sentence in sentences:
        assert sentence in receipt


def test_every_word_with_an_argument_is_known_alone() -> None:
    for verb in at_least(15, WITH_ARGUMENT):
        words = WITH_ARGUMENT[verb]
        for word in words.split():
            if not is_command(word):
                assert incomplete_command([word]) is verb, word
            assert incomplete_command([f"{word} ???"]) is verb, word


@pytest.mark.parametrize("line", ["seat domino", "platz schach", "enter 3"])
def test_a_reply_about_a_match_learns_where_to_write_about_the_lobby(
    emails: Emails, db: None, line: str
) -> None:
    alice, turn, _lobby = deepcopy(emails)
    receipt = post.answer(alice, turn, line)
    assert post.outcome(receipt) in ("refused", "unread")
    assert "Write “matches” first" in " ".join(text(receipt).split())


def test_sentences_get_no_such_answer(write: Write) -> None:
    outcome, receipt = write("Place your bets, everybody who is here, since I will win!")
    assert outcome == "unread"
    assert "begins like a command" not in receipt


def test_no_line_is_explained_if_another_is_a_command(write: Write) -> None:
    outcome, receipt = write("a4-a5\n\nseat chess\n")
    assert outcome == "played"
    assert "begins like a command" not in receipt
    assert Match.objects.get().ply
