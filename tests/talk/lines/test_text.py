"""What a line of talk may contain, and its rows in e-mails."""

import pytest

from games.talk.lines.text import (
    MAX_CHARACTERS,
    MAX_ROWS,
    ROW_COLUMNS,
    BadLine,
    quoted_rows,
    read_text,
)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Good game", "Good game"),
        ("  one\r\ntwo\rthree\u2028four  ", "one\ntwo\nthree\nfour"),
        ("e\u0301te\u0301", "été"),
        ("a\tb", "a b"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("\u202egood\u202c \u2066luck\u2069\u200f", "good luck"),
        ("re\u200bsi\u200dgn\ufeff\u00ad\u2060", "resign"),
        ("fill\u3164er\ufe0f", "filler"),
        ("aside\u2065 \ufff0\U000e0fff", "aside"),
        ("lone \ud800 half", "lone  half"),
        ("z" + "\u0335" * 50, "z" + "\u0335" * 4),
        ("\n\n  hello\n\n\nyou\n\n", "hello\n\n\nyou"),
        ("x" * MAX_CHARACTERS, "x" * MAX_CHARACTERS),
        ("\n".join("x" * MAX_ROWS), "\n".join("x" * MAX_ROWS)),
        ("ab" * 500 + "\u200b" * 500, "ab" * 500),
    ],
    ids=ascii,
)
def test_invisible_characters_are_removed_from_a_line(sent: str, kept: str) -> None:
    assert read_text(sent) == kept


@pytest.mark.parametrize("sent", ["", " \n\t ", "\u200b\u202e", "\x00"], ids=ascii)
def test_an_empty_text_is_no_line(sent: str) -> None:
    with pytest.raises(BadLine, match="write something"):
        read_text(sent)


@pytest.mark.parametrize("count", [MAX_CHARACTERS + 1, 100_000])
def test_the_refusal_of_a_line_that_is_too_long_names_the_limit(count: int) -> None:
    with pytest.raises(BadLine, match=f"at most 1000 characters at once, and these are {count}"):
        read_text("x" * count)


def test_more_than_twenty_rows_are_refused() -> None:
    with pytest.raises(BadLine, match="at most 20 rows at once, and these are 21"):
        read_text("\n".join("x" * (MAX_ROWS + 1)))


@pytest.mark.parametrize(
    "text",
    [
        "resign",
        "a\n\nb",
        "word " * 190,
        "x" * 1000,
        "認輸" * 100,
        "> > resign",
        "a" * 36 + " resign",
    ],
    ids=ascii,
)
def test_every_row_in_an_email_is_marked_and_narrow(text: str) -> None:
    rows = quoted_rows(text)
    assert all(row.startswith("> ") or row == ">" for row in rows)
    assert all(sum(1 + (ord(sign) > 0x2E80) for sign in row) <= ROW_COLUMNS for row in rows)
    kept = "".join(row.removeprefix(">") for row in rows)
    assert "".join(kept.split()) == "".join(text.split())
