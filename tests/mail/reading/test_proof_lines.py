"""Proof lines of e-mails, quoted or not, are never read as a command."""

import textwrap
from collections.abc import Callable, Iterator

import pytest

from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.mail.reading.test_own_lines import moves, of_html, of_text
from tests.rules.proof.matches import Match, begun

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
def test_a_reply_with_proof_lines_only_plays_its_move(mark: str, lines: list[str]) -> None:
    pasted = "\n".join(mark + line for line in lines)
    assert moves(of_text(f"a4-a5\n\n{pasted}\n")) == ["a4-a5"]
    page = "<br>".join(lines)
    assert moves(of_html(f"<p>a4-a5</p><p>{page}</p>")) == ["a4-a5"]


@pytest.mark.parametrize("lines", [[HEAD, SIGN], RECEIPT, BUNDLE], ids=["head", "receipt", "ply"])
def test_wrapped_proof_lines_are_no_command(lines: list[str]) -> None:
    for width in range(30, 134):
        pasted = "\n".join(
            line[start : start + width] for line in lines for start in range(0, len(line), width)
        )
        assert moves(of_text(f"a4-a5\n\n{pasted}\n")) == ["a4-a5"], width


@pytest.mark.parametrize("above", ["cafe", f"{'a4b5' * 3}a4b", f"{'a4b5' * 8}.", "A4B5" * 8])
def test_below_other_words_a_move_without_a_dash_counts(above: str) -> None:
    assert moves(of_text(f"{above}\na4a5\n"))[-1] == "a4-a5"


# --- files of real matches, wrapped at any width

Wrap = Callable[[str, int], list[str]]
WIDTHS = range(12, 79)
COMMANDS_AS_WORDS = "resign a4-a5 b4-b5 resign in the end resign"


def within_words(line: str, width: int) -> list[str]:
    return [line[start : start + width] for start in range(0, len(line), width)]


def between_words(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


def files() -> Iterator[tuple[str, str]]:
    for preset in ("lattaque-en", "lattaque-zh", "tactique", "domino"):
        yield preset, begun(preset).set_up().receipt(Seat.NORTH)
    wordy = Match(begun("domino").rules, words=(COMMANDS_AS_WORDS, "")).set_up()
    yield "words", wordy.receipt(Seat.SOUTH)
    yield "bundle", begun("lattaque-en").set_up().play(8).bundle()


def quotations(parts: list[list[str]]) -> Iterator[str]:
    """Lines in their parts: pasted, quoted as a whole, quoted before it was wrapped, and spaced."""
    yield "\n".join(part for line in parts for part in line)
    yield "\n".join(f"> {part}" for line in parts for part in line)
    yield "\n".join("\n".join([f">> {line[0]}", *line[1:]]) for line in parts)
    yield "\n\n".join(part for line in parts for part in line)


@pytest.mark.parametrize("wrap", [within_words, between_words])
@pytest.mark.parametrize(
    "name", tiers.parameters([name for name, _ in files()], fast=("tactique", "words"))
)
def test_a_file_wrapped_at_any_width_is_no_command(name: str, wrap: Wrap) -> None:
    text = dict(files())[name]
    for width in WIDTHS:
        parts = [wrap(line, width) for line in text.splitlines()]
        for pasted in quotations(parts):
            assert moves(of_text(f"Hello\n\n{pasted}\n")) == [], (width, pasted)


@pytest.mark.parametrize("width", [12, 21, 72])
def test_commands_around_a_wrapped_receipt_count(width: int) -> None:
    text = begun("lattaque-en").set_up().receipt(Seat.SOUTH)
    receipt = "\n".join(part for line in text.splitlines() for part in within_words(line, width))
    assert moves(of_text(f"a4-a5\n{receipt}\n\nnote my receipt\n")) == ["a4-a5", "note"]
    assert moves(of_text(f"{receipt}\n\nresign\n")) == ["resign"]
    rows = "RRR1R1RSCE\nEBFLLM1ECB\nKLRSKBR1BS\nLGJJKYRKES"
    assert moves(of_text(f"{receipt}\n\n{rows}\n")) == ["set-up"]
    assert moves(of_text(f"{HEAD}\n{SIGN}\nresign\n")) == ["resign"]
