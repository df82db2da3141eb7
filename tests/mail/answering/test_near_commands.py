"""A line that is nearly a command: the receipt names it."""

import pytest

from games.mail.reading.grammar.near_commands import near_commands
from tests.mail import post
from tests.mail.conftest import Begun
from tests.notifications.email.fed_back import COLUMNS
from tests.notifications.email.reading import text
from tests.notifications.email.test_no_line_is_a_command import assert_harmless

NEAR = (
    "b4-b5?", "b4-b5, draw?", "Rb4-b5", "I resign.", "Ich gebe auf.", "Draw accepted.",
    "b4-b5 :-)", "b4-b5 thanks", "resing", "b4 to b5 and resign", "j'abandonne !", "我要認輸",
)  # fmt: skip


@pytest.mark.parametrize("line", NEAR)
def test_a_near_miss_is_named(begun: Begun, line: str) -> None:
    receipt = post.answer(begun.who.alice, begun.turn, f"{line}\n\nAlice\n")
    assert post.outcome(receipt) == "unread"
    words = " ".join(text(receipt).split())
    assert f"No command was found. “{line}” is not a command" in words
    assert_harmless(receipt, COLUMNS)


@pytest.mark.parametrize(
    "message",
    [
        "Hello Bob,\n\nI will think about the next move for a while, and then write again.",
        "Last move:\n\nBob moved from j7 to j6, and that was all that happened.",
    ],
)
def test_a_sentence_is_not_named(begun: Begun, message: str) -> None:
    receipt = post.answer(begun.who.alice, begun.turn, message)
    assert post.outcome(receipt) == "unread"
    assert "No command was found: write each command" in text(receipt)


def test_a_quotation_of_ours_is_not_named(begun: Begun) -> None:
    for part in (text(begun.turn), text(begun.turn).split("\n\n")[1]):
        post.answers(begun.who.alice, begun.turn, part)
        assert post.last().outcome == "unread"
        assert not any(
            "is not a command" in text(receipt) for receipt in post.emails(begun.who.alice)
        )


def test_a_move_counts_more_than_a_greeting() -> None:
    assert near_commands(["Hi Bob", "", "(b4-b5)", "Alice"]) == ["(b4-b5)"]
    assert near_commands(["Hi Bob", "this is a text of several words", "and", "more"]) == []


def test_a_long_message_of_near_commands_is_read_in_no_time() -> None:
    assert near_commands(["b4-b5?"] * 4_000) == ["b4-b5?"] * 3
