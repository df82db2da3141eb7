"""The oracle's common rules, C1 to C12, and the examples of the notation."""

import random

import pytest

from tests.rules.oracle.questions import ask, place
from tests.rules.oracle.referee import PRESETS, answer, random_setup, system_of

QUIET = {"a1": "F", "j10": "f", "j1": "K", "a10": "k"}


@pytest.mark.parametrize("preset", PRESETS)
def test_side_nought_moves_first_and_turns_alternate_c1_c4_c5(preset: str) -> None:
    rng = random.Random(7)
    setup = [random_setup(preset, None, seat, rng) for seat in "SN"]
    other = "O" if system_of(preset) == "assaut" else "N"
    start = answer({"preset": preset, "setup": setup, "want": ["position", "legal"]})
    assert start["position"].split()[1:4] == ["S", "0", "0"]
    moves = [start["legal"][0]]
    reply = answer({"preset": preset, "setup": setup, "moves": moves, "want": ["position"]})
    assert reply["position"].split()[1] == other and reply["position"].split()[3] == "1"


def test_no_file_is_left_out_c2() -> None:
    reply = ask("lattaque-en", {"a1": "F", "j10": "f", "i5": "K", "a10": "k"})
    assert {"i5-j5", "i5-i4", "i5-i6"} == {m for m in reply["legal"] if m.startswith("i5")}


@pytest.mark.parametrize("text", ["a4-a5 ", "A1-A2", "j1j2", "", "j1-j1", "j1-j2-j3", "a1-a2"])
def test_only_canonical_legal_texts_are_moves_c4(text: str) -> None:
    assert ask("lattaque-en", QUIET, text)["at"] == 0


def test_the_other_side_may_not_move_c4() -> None:
    assert ask("lattaque-en", QUIET, "a10-a9")["at"] == 0


def test_repeating_a_position_is_no_draw_c8_c10() -> None:
    around = ["j1-j2", "a10-a9", "j2-i2", "a9-b9", "i2-i1", "b9-b10", "i1-j1", "b10-a10"]
    assert ask("lattaque-en-isf2sq", QUIET, *(around * 6))["status"] is None


def test_an_unknown_edition_or_option_is_an_error() -> None:
    assert "error" in answer({"preset": "chess", "setup": ["", ""], "want": []})
    request = {"preset": "domino", "switches": {"spy": 1}, "setup": ["", ""], "want": []}
    assert "error" in answer(request)


def test_both_setups_must_be_right_c12() -> None:
    request = {"preset": "assaut", "setup": ["", "c7,g7"], "want": ["position"]}
    assert set(answer(request)) == {"error"}


@pytest.mark.parametrize(
    ("preset", "pieces", "fields", "annotated"),
    [
        ("lattaque-en", {**QUIET, "a4": "R"}, "", "a4-a8"),
        ("lattaque-en", {**QUIET, "a4": "R"}, "", "a4-a5"),
        ("lattaque-en", {**QUIET, "a4": "R", "a9": "k"}, "", "a4xa9[RvK]-"),
        ("lattaque-en", {**QUIET, "e7": "r", "e4": "M"}, "N 0 3", "e7xe4[RvM]-"),
        ("lattaque-en", {**QUIET, "a6": "Y", "a7": "m"}, "", "a6xa7[YvM]+"),
        ("domino", {"a1": "[66]", "h9": "<66>", "d4": "[52]", "d5": "<64>"}, "", "d4xd5[52v64]+"),
        ("tactique", {"a1": "F", "h8": "f", "d2": "C", "d6": "v"}, "", "d2-d5xd6[CvV]+d"),
        (
            "tactique",
            {"a1": "F", "h8": "f", "g6": "c", "d4": "A", "a3": "C"},
            "N 0 1",
            "g6-d6 ~d6",
        ),
        ("assaut", {"d6": "o", "c7": "o", "c4": "S"}, "S 0 4 0 d6", "*d6,c4-c5"),
        ("assaut", {"d6": "o", "c4": "S"}, "S 0 4 0 d6", "*d6"),
    ],
)
def test_the_examples_of_the_notation(
    preset: str, pieces: dict[str, str], fields: str, annotated: str
) -> None:
    move = annotated.split("[")[0].split(" ")[0]
    request = {"preset": preset, "position": place(preset, pieces, fields), "moves": [move]}
    assert answer({**request, "want": ["annotated"]}) == {"annotated": [annotated]}


def test_the_position_after_one_capture_is_written_as_in_the_example() -> None:
    pieces = {"c5": "o", "e7": "o", "d5": "S", "c1": "S", "d1": "S", "e1": "S"}
    reply = ask("assaut", pieces, "c5xe5", fields="O 3 6 0 -")
    assert reply["position"] == "~~2o~~/~~3~~/4o2/7/7/~~3~~/~~SSS~~ S 0 7 1 -"
