"""Proof lines of letters, quoted or not, are never read as a command."""

import pytest

from tests.mail.reading.test_own_lines import moves, of_html, of_text

# Wrapped within, a part of such a hash or signature could be read as a move.
HEAD = f"head estafette/head/1 17 12 {'a4b5' * 16}"
SIGN = f"sign {'b4b5' * 32}"
RECEIPT = [
    "estafette/receipt/1 17",
    HEAD,
    SIGN,
    f"seal S {'0a' * 32} M G 1 R - S K 53 61",
    "words resign",
    "end",
]
BUNDLE = ['ply [12,0,"move","d4-d5","2026-11-26T09:11:40.123456+00:00",""]', f"army S {'0a' * 32}"]


@pytest.mark.parametrize("mark", ["", "> ", ">> ", "\t"])
@pytest.mark.parametrize("lines", [[HEAD, SIGN], RECEIPT, BUNDLE], ids=["head", "receipt", "ply"])
def test_a_reply_with_proof_lines_plays_its_move_alone(mark: str, lines: list[str]) -> None:
    pasted = "\n".join(mark + line for line in lines)
    assert moves(of_text(f"a4-a5\n\n{pasted}\n")) == ["a4-a5"]
    page = "<br>".join(lines)
    assert moves(of_html(f"<p>a4-a5</p><p>{page}</p>")) == ["a4-a5"]


@pytest.mark.parametrize("lines", [[HEAD, SIGN], RECEIPT, BUNDLE], ids=["head", "receipt", "ply"])
def test_proof_lines_that_a_mail_program_wrapped_are_no_command(lines: list[str]) -> None:
    for width in range(30, 134):
        pasted = "\n".join(
            line[start : start + width] for line in lines for start in range(0, len(line), width)
        )
        assert moves(of_text(f"a4-a5\n\n{pasted}\n")) == ["a4-a5"], width


@pytest.mark.parametrize("above", ["cafe", f"{'a4b5' * 3}a4b", f"{'a4b5' * 8}.", "A4B5" * 8])
def test_below_other_words_a_move_without_a_dash_counts(above: str) -> None:
    assert moves(of_text(f"{above}\na4a5\n"))[-1] == "a4-a5"
