"""Lines of plans in messages: whole, never quoted, and never as part of a sentence."""

import pytest

from games.mail.reading.commands import Verb
from tests.mail.reading.clients import SHAPES, Shape, message
from tests.mail.reading.reader import read
from tests.mail.reading.test_own_lines import of_both, of_html, of_text

LINE, OTHER = "if e7-e6 then d5xe6", "otherwise d5-d6"
LONG = "I have thought for a long time about it, and what I shall do is this,"
LONG_LINE = "if e7-e6 then d5xe6 if e6-e5 then d6-d7 if quiet then d10-d8"


def lines(text: str) -> list[tuple[str, bool]]:
    """The lines of a plan in a text, and whether each of them stands next to a long line."""
    return [(c.argument, c.wrapped) for c in of_text(text).commands if c.verb is Verb.IF]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_lines_are_read_in_a_reply_of_each_program(shape: Shape) -> None:
    parsed = read(message(shape, f"{LINE}\nSonst D5 - D6.\n\nYours"))
    assert not parsed.problem and not parsed.conflict
    assert [(c.verb, c.argument, c.wrapped) for c in parsed.commands] == [
        (Verb.IF, LINE, False),
        (Verb.IF, OTHER, False),
    ]


def test_lines_keep_their_places() -> None:
    parsed = of_text(f"Hello\n\n{LINE}\n\n{OTHER}\n")
    assert [command.line for command in parsed.commands] == [2, 4]


@pytest.mark.parametrize(
    "text",
    [
        f"> {LINE}",
        f">> {LINE}",
        f"-- \n{LINE}",
        f"From: x\nTo: y\n\n{LINE}",
        f"________________________________\n{LINE}",
        f"> {LONG}\n{LINE}",
    ],
)
def test_quoted_lines_are_not_read(text: str) -> None:
    assert lines(text) == []


def test_a_quoted_line_in_html_is_not_read() -> None:
    assert of_html(f"<p>Well.</p><blockquote><p>{LINE}</p></blockquote>").commands == ()


def test_a_line_of_300_characters_is_read_completely() -> None:
    whole = "if e7-e6 then d5xe6" + " if any then a1-a2" * 14
    assert lines(whole) == [(whole, False)]
    for below in ("\n", "\n\nYours, Anna", f"\n \n{LINE}"):
        assert lines(whole + below)[0] == (whole, False)
    assert lines("if e7-e6 then " + "d5 x " * 400) == [
        ("if e7-e6 then " + "d5 x " * 399 + "d5 x", False)
    ]


@pytest.mark.parametrize(
    "before",
    [LONG, LONG[:60], LONG_LINE, "note " + LONG, "say " + LONG, "a4-a5 " + "and so on, " * 6],
)
def test_a_line_directly_after_a_long_one_is_marked(before: str) -> None:
    assert lines(f"{before}\n{LINE}")[-1] == (LINE, True)
    assert lines(f"{before}\n\n{LINE}")[-1] == (LINE, False)


def test_a_line_after_a_shorter_one_is_read() -> None:
    assert lines(f"{LONG[:59]}\n{LINE}") == [(LINE, False)]
    assert lines(f"{LONG_LINE[:-1]}\n{LINE}\n{OTHER}")[1:] == [(LINE, False), (OTHER, False)]


@pytest.mark.parametrize(
    ("rest", "is_rest"),
    [
        ("x e6", True),
        ("if quiet then d8-d9", True),
        ("+ if quiet then d8-d9", True),
        ("Yours, Anna", False),
    ],
)
def test_a_long_line_that_may_continue_is_marked(rest: str, is_rest: bool) -> None:
    wrapped_lines = lines(f"{LONG_LINE}0\n{rest}")
    assert any(wrapped for _, wrapped in wrapped_lines) is is_rest


def test_html_is_not_wrapped() -> None:
    own_commands = of_html(f"<p>{LONG}<br>{LINE}</p>").commands
    assert [(command.argument, command.wrapped) for command in own_commands] == [(LINE, False)]


def test_text_and_html_have_to_say_the_same() -> None:
    assert not of_both(f"{LINE}\n{OTHER}", f"<p>{LINE}<br>Otherwise d5 d6</p>").conflict
    assert of_both(LINE, f"<p>{LINE}</p><p>{OTHER}</p>").conflict
