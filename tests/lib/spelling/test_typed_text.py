"""What people type reads the same however their keyboard or mail program spells it."""

import unicodedata

import pytest

from lib.spelling import typed_text


@pytest.mark.parametrize(
    "spelling",
    [
        "Anna 12",
        " Anna\u3000１２ ",
        "An\u00adna\xa012",
        "\u200eAnna 12\u200f",
        "Anna ١٢",
        "Ａnna 1２",
    ],
)
def test_width_spaces_and_invisible_marks_do_not_count(spelling: str) -> None:
    assert typed_text.plain(spelling) == "Anna 12"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Über", unicodedata.normalize("NFD", "über")),
        ("STRASSE", "straße"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("İstanbul", "istanbul"),
        ("ISPARTA", "ısparta"),
        ("ﬁne", "FINE"),
        ("Ｌｅｆｔ　ｆｌａｎｋ", "left  flank"),
        ("Bob's wall", "bob’s wall"),
        ("left-hand", "Left\u2011hand"),
        ('the "Alps"', "the „Alps“"),
        ("Éclair\ufe0f", "e\u0301clair"),
    ],
)
def test_one_name_in_two_spellings_folds_to_one(one: str, other: str) -> None:
    assert typed_text.folded(one) == typed_text.folded(other)
    assert typed_text.folded(typed_text.folded(one)) == typed_text.folded(one)


def test_different_names_stay_different() -> None:
    names = ["left", "right", "Über", "Uber", "a-b", "ab", "佈陣", "布阵"]
    assert len({typed_text.folded(name) for name in names}) == len(names)


def test_a_name_is_composed_and_keeps_its_emoji() -> None:
    assert typed_text.name(" U\u0308ber\u00ad  links\u200e ") == "Über links"
    family = "👨\u200d👩\u200d👧"
    assert typed_text.name(family) == family and typed_text.is_printable(family)
    assert not typed_text.is_printable("a\x07b")


@pytest.mark.parametrize(
    "place", ["St. John's", "st johns", "St_Johns", "ST. JOHN’S", "St.\xa0John´s", "sT-jOhNs"]
)
def test_a_place_is_reduced_to_its_letters_and_digits(place: str) -> None:
    assert typed_text.letters_and_digits(place) == "stjohns"


def test_accents_and_strokes_are_removed() -> None:
    places = ["São Paulo", "Zürich", "Curaçao", "Bogotá", "Tromsø", "Łódź", "Ðà Nẵng", "Chișinău"]
    assert [typed_text.letters_and_digits(place) for place in places] == [
        "saopaulo", "zurich", "curacao", "bogota", "tromso", "lodz", "danang", "chisinau",
    ]  # fmt: skip
