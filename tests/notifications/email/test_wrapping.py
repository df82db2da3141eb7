"""Line wrapping of the text part, in any alphabet."""

from itertools import product

import pytest
from pytest_django import Settings

from games.notifications.email.composing.line_wrapping import (
    COLUMNS,
    WIDEST_COLUMNS,
    wrapped,
)
from lib.spelling.columns import columns
from tests import tiers
from tests.floors import at_least
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import proof_lines, text
from tests.play.match_helpers import People

LONGEST = "B" * 20


@pytest.mark.parametrize(
    ("handle", "language"),
    tiers.parameters(
        product(("Bob", LONGEST), ("en", "de", "fr", "zh-hant")),
        fast=((LONGEST, "de"),),
    ),
)
def test_no_line_of_an_email_is_wider_than_72_columns(
    who: People, settings: Settings, language: str, handle: str
) -> None:
    settings.MAIL_REPLIES = "true"
    for user in who:
        user.username, user.language = user.username.replace("Bob", handle), language
        user.save()
    for name, email in at_least(15, every_email(who).items()):
        for line in at_least(5, text(email).splitlines()):
            address = line.startswith(("http", "mailto:")) or "://" in line
            # A program reads the proof lines, which are long and never wrapped.
            if line in proof_lines(email):
                continue
            assert address or columns(line) <= WIDEST_COLUMNS, (name, line)


def test_words_stay_complete_and_in_order() -> None:
    sentence = "One rather ordinary sentence about nothing in particular. " * 5
    lines = wrapped(sentence).split("\n")
    assert " ".join(lines).split() == sentence.split()
    assert max(map(columns, lines)) <= COLUMNS


def test_continued_items_of_a_list_are_indented() -> None:
    lines = wrapped("* " + "word " * 30).split("\n")
    assert lines[0].startswith("* word") and all(line.startswith("  word") for line in lines[1:])


def test_wide_characters_count_twice_and_need_no_blank() -> None:
    lines = wrapped("棋" * 80 + "。").split("\n")
    assert "".join(lines) == "棋" * 80 + "。"
    assert max(map(columns, lines)) <= COLUMNS and not any(line[0] == "。" for line in lines)


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
def test_no_line_breaks_at_a_no_break_space(blank: str) -> None:
    words = f"«{blank}abandonner{blank}», "
    for shift in range(20):
        for line in wrapped("x" * shift + " " + words * 12).split("\n"):
            assert line.count("«") == line.count("»"), line


def test_no_line_has_a_short_word_of_wide_characters_alone() -> None:
    for count in range(30, 80):
        assert columns(wrapped("棋" * count).split("\n")[-1]) >= 12


def test_boards_and_urls_are_not_wrapped() -> None:
    address = "http://localhost:8000/" + "a" * 100
    assert wrapped(address) == address
    assert wrapped(f"Open match: {address}") == f"Open match:\n{address}"
    board = " 7   n?  .   n?  n?* .   7\n 6   .   ,   ~~  ~~  M!  6"
    assert wrapped(board) == board
