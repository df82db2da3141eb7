"""The text of a token: its form and its checksum."""

import re
from binascii import crc32

import pytest

from accounts.tokens import texts
from tests.floors import at_least


def test_a_token_has_the_documented_form() -> None:
    made = {texts.new() for _ in range(50)}
    for text in at_least(50, made):
        assert re.fullmatch(r"estafette_[0-9A-Za-z]{38}", text)
        assert texts.is_well_formed(text)


def test_the_checksum_is_the_crc_in_base_62_padded_with_zeros() -> None:
    body = "estafette_" + "a" * 32
    number = 0
    for sign in texts.checksum(body):
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        number = number * 62 + digits.index(sign)
    assert number == crc32(body.encode())
    assert len(texts.checksum("")) == 6
    assert texts.checksum("") == "000000"


@pytest.mark.parametrize("at", [0, 9, 10, 25, 41, 42, 47])
def test_any_changed_character_is_noticed(at: int) -> None:
    text = texts.new()
    other = "x" if text[at] != "x" else "y"
    assert not texts.is_well_formed(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize(
    "text", ["", "estafette_", "x" * 48, "estafette_" + "ä" * 38, "é", "\0", "\ud800" * 48]
)
def test_other_texts_are_no_tokens(text: str) -> None:
    assert not texts.is_well_formed(text)
    assert not texts.is_well_formed(texts.new() + text if text else " " + texts.new())
