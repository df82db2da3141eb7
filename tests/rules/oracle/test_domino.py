"""The oracle's domino Stratego, D1 to D10."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.rules.oracle.questions import EVERYTHING, ask, stands
from tests.rules.oracle.referee import answer, random_setup

SOUTH = "4056104666025513/2244113533610041/6325125026453406"
SIXES = {"a1": "[66]", "h10": "<66>"}


def ready(north: str = "2623451303146600/0110555436323322/2142516315044452") -> dict[str, Any]:
    return {"preset": "domino", "setup": [SOUTH, north], "want": EVERYTHING}


def test_the_example_setup_is_placed_and_has_eight_moves_d3_d4() -> None:
    reply = answer(ready(random_setup("domino", None, "N", random.Random(2))))
    assert reply["position"].split("/")[7] == "[40][56][10][46][66][02][55][13]"
    assert reply["position"].split("/")[3] == "8"
    assert reply["legal"] == [f"{f}3-{f}4" for f in "abcdefgh"]


def test_a_view_hides_the_tiles_but_not_the_sides() -> None:
    reply = ask("domino", {**SIXES, "e5": "<12>"})
    assert reply["views"][0].count("<??>") == 2 and "[66]" in reply["views"][0]
    assert reply["views"][1].count("[??]") == 1 and "<12>" in reply["views"][1]


@pytest.mark.parametrize(
    "south",
    [
        SOUTH.replace("00", "22"),
        SOUTH.replace("66", "06"),
        SOUTH.replace("40", "65"),
        SOUTH.replace("63", "73"),
        SOUTH[:-2],
        "8/8/8",
    ],
)
def test_a_wrong_hand_is_refused_d2(south: str) -> None:
    reply = answer({"preset": "domino", "setup": [south, SOUTH], "want": ["position"]})
    assert set(reply) == {"error"}


def test_a_random_hand_has_both_and_either_orientation_d2_d3() -> None:
    rng = random.Random(3)
    seen: Counter[Any] = Counter()
    for _ in range(50):
        text = random_setup("domino", None, "S", rng)
        digits = text.replace("/", "")
        tiles = [digits[at : at + 2] for at in range(0, 48, 2)]
        assert "00" in tiles and "66" in tiles and len(set(tiles)) == 24
        seen.update(tiles)
    assert seen["12"] and seen["21"] and len(seen) == 49


@pytest.mark.parametrize(
    ("attacker", "defender", "mark", "left"),
    [
        ("52", "14", "+", "[52]"),
        ("25", "14", "-", "<14>"),
        ("45", "14", "=", ""),
        ("00", "10", "=", ""),
        ("00", "01", "-", "<01>"),
        ("10", "00", "+", "[10]"),
        ("05", "00", "=", ""),
        ("00", "00", "=", ""),
        ("66", "16", "#", ""),
        ("52", "62", "+", "[52]"),
        ("66", "65", "+", "[66]"),
    ],
)
def test_battles_d5_d6(attacker: str, defender: str, mark: str, left: str) -> None:
    pieces = {**SIXES, "d4": f"[{attacker}]", "d5": f"<{defender}>"}
    if attacker == "66":
        del pieces["a1"]
    reply = ask("domino", pieces, "d4xd5", fields="S 5 5")
    expected = {name: tile for name, tile in pieces.items() if name not in ("d4", "d5")}
    assert stands(reply, "domino", {**expected, **({"d5": left} if left else {})})
    assert reply["annotated"] == [f"d4xd5[{attacker}v{defender}]{mark}"]
    assert reply["position"].endswith(" N 0 6")


@pytest.mark.parametrize(
    ("attacker", "defender", "status"),
    [
        ("[00]", "<66>", ["S", "6-6 destroyed"]),
        ("[60]", "<66>", ["S", "6-6 destroyed"]),
        ("[56]", "<66>", None),
        ("[66]", "<00>", ["N", "6-6 destroyed"]),
        ("[66]", "<26>", ["N", "6-6 destroyed"]),
        ("[66]", "<62>", None),
        ("[66]", "<66>", ["draw", "both 6-6 destroyed"]),
    ],
)
def test_the_end_d6_d7(attacker: str, defender: str, status: Any) -> None:
    pieces = {"d4": attacker, "d5": defender, "h1": "[11]", "h9": "<11>"}
    if attacker != "[66]":
        pieces["a1"] = "[66]"
    if defender != "<66>":
        pieces["h10"] = "<66>"
    reply = ask("domino", pieces, "d4xd5")
    assert reply["status"] == status
    assert reply["annotated"][0].endswith("#") == (status is not None)


def test_a_winner_advances_in_its_orientation_or_goes_back_d8() -> None:
    pieces = {**SIXES, "d4": "[52]", "d5": "<43>"}
    assert stands(ask("domino", pieces, "d4xd5"), "domino", {**SIXES, "d5": "[52]"})
    assert stands(ask("domino-return", pieces, "d4xd5"), "domino", {**SIXES, "d4": "[52]"})


def test_survivors_are_hidden_again_d9() -> None:
    reply = ask("domino", {**SIXES, "d4": "[52]", "d5": "<43>"}, "d4xd5")
    assert "52" not in reply["views"][1]


def test_every_tile_walks_one_square_d4() -> None:
    reply = ask("domino", {**SIXES, "d4": "[00]"})
    assert reply["legal"] == ["a1-a2", "a1-b1", "d4-c4", "d4-d3", "d4-d5", "d4-e4"]


def test_no_progress_and_no_two_square_rule_d10() -> None:
    assert ask("domino", SIXES, "a1-a2", fields="S 199 0")["status"] == ["draw", "no progress"]
    shuttle = ["a1-a2", "h10-h9", "a2-a1", "h9-h10"] * 4
    assert "a1-a2" in ask("domino", SIXES, *shuttle)["legal"]
    assert ask("domino", SIXES, *shuttle, two_square=3)["at"] == 6
