"""The oracle's Tactique, T1 to T14."""

import random
from typing import Any

import pytest

from tests.rules.oracle.questions import EVERYTHING, ask, stands
from tests.rules.oracle.referee import answer, random_setup

SOUTH = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
NORTH = "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"
FLAGS = {"a1": "F", "h8": "f"}
QUIET = {**FLAGS, "a3": "C", "h6": "c"}  # Both sides can always move something.


def targets(reply: dict[str, Any], start: str) -> set[str]:
    return {move[len(start) :] for move in reply["legal"] if move.startswith(start)}


def test_the_example_setups_give_the_example_position_after_its_volley_t8() -> None:
    reply = answer({"preset": "tactique", "setup": [SOUTH, NORTH], "want": EVERYTHING})
    assert reply["volley"] == ["d6", "c5"]
    south = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
    assert reply["position"] == f"ipvavvap/fiiappip/iipw'cciv/p1i'a4/{south} S 0 0"
    assert reply["views"][0] == f"????????/????????/????'????/?1?'?4/{south}"


def test_no_opening_volley_when_switched_off_t8() -> None:
    reply = answer(
        {
            "preset": "tactique",
            "switches": {"volley_first": False},
            "setup": [SOUTH, NORTH],
            "want": ["volley", "position"],
        }
    )
    assert reply["volley"] == [] and "'" not in reply["position"]


@pytest.mark.parametrize(
    "south",
    [
        SOUTH.replace("C", "V"),
        SOUTH.lower(),
        "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAP1",
        "2VA4/PIPPPIFI/CIPVACAP/IIPVIAPV",
        "2VA2VI/PIPPPIFI/CIPVACAP/IIPVIAP1",
        "IIPVIAPV/CIPVACAP/PIPPPIFI/2VA3I",
    ],
)
def test_a_wrong_setup_is_refused_t2_t3(south: str) -> None:
    reply = answer({"preset": "tactique", "setup": [south, NORTH], "want": ["position"]})
    assert set(reply) == {"error"}


def test_a_random_setup_is_accepted_t3() -> None:
    rng = random.Random(4)
    for _ in range(20):
        setup = [random_setup("tactique", None, seat, rng) for seat in "SN"]
        assert "error" not in answer({"preset": "tactique", "setup": setup, "want": ["status"]})


def test_the_three_kinds_of_turn_t4_t5_t6() -> None:
    reply = ask("tactique", {**FLAGS, "d2": "C", "d6": "p", "e5": "i"})
    assert targets(reply, "d2") == {
        *["-d1", "-d3", "-d4", "-d5", "-a2", "-b2", "-c2", "-e2", "-f2", "-g2", "-h2"],
        *["-d5xd6", "-d5xe5"],
    }
    assert targets(reply, "a1") == set()
    near = ask("tactique", {**FLAGS, "d2": "C", "d3": "p"})
    assert {"xd3", "-d1", "-e2"} <= targets(near, "d2")


def test_a_step_only_edition_t5() -> None:
    reply = ask("tactique-step", {**FLAGS, "d2": "C", "d4": "p", "f2": "i"})
    assert targets(reply, "d2") == {"-d1", "-d3", "-d3xd4", "-c2", "-e2", "-e2xf2"}


def test_a_straight_charge_t6() -> None:
    pieces = {**FLAGS, "d2": "C", "d6": "p", "e5": "i"}
    reply = ask("tactique-straight", pieces)
    assert "-d5xd6" in targets(reply, "d2") and "-d5xe5" not in targets(reply, "d2")


def test_a_charge_may_return_to_the_side_of_its_start_t6() -> None:
    reply = ask("tactique", {**FLAGS, "d2": "C", "e2": "p", "e3": "i"})
    assert {"-d3xe3", "xe2"} <= targets(reply, "d2")
    assert "-d2xe2" not in targets(reply, "d2")


def test_archers_move_and_never_attack_t7() -> None:
    reply = ask("tactique", {**FLAGS, "d2": "A", "d3": "p"})
    assert all("x" not in move for move in targets(reply, "d2"))
    assert "-a2" in targets(reply, "d2")
    demoted = ask("tactique", {**FLAGS, "d2": "W'", "d3": "p"})
    assert "xd3" in targets(demoted, "d2")


def test_a_volley_hits_eight_squares_before_the_owners_turn_t8() -> None:
    reach = ["d6", "c5", "e5", "b4", "f4", "c3", "e3", "d2"]
    beyond = ["d5", "e4", "g4", "d7", "b5", "f5", "b3"]
    pieces = {**QUIET, "d4": "A", **dict.fromkeys([*reach, *beyond], "c")}
    reply = ask("tactique", pieces, "h6-h5", fields="N 7 1")
    assert reply["annotated"] == ["h6-h5" + "".join(f" ~{name}" for name in reach)]
    assert reply["position"].endswith(" S 0 2")
    moved = {n: p for n, p in pieces.items() if n != "h6"}
    assert stands(reply, "tactique", {**moved, "h5": "c", **dict.fromkeys(reach, "v'")})


def test_no_volley_before_the_opponents_turn_t8() -> None:
    pieces = {**QUIET, "d4": "A", "d6": "c"}
    assert ask("tactique", pieces, "a3-a2")["annotated"] == ["a3-a2"]
    both = ask("tactique-volley-all", pieces, "a3-a2")
    assert both["annotated"] == ["a3-a2 ~d6"]


def test_both_sides_archers_shoot_at_once_t8() -> None:
    pieces = {**QUIET, "d4": "A", "d6": "a"}
    reply = ask("tactique-volley-all", pieces, "a3-a2")
    assert reply["annotated"] == ["a3-a2 ~d6! ~d4!"]


def test_own_pieces_are_never_hit_t8() -> None:
    reply = ask("tactique-volley-all", {**QUIET, "d4": "A", "d6": "C"}, "a3-a2")
    assert reply["annotated"] == ["a3-a2"]


def test_a_piece_that_stays_in_range_is_shot_again_t8_t9() -> None:
    reply = ask(
        "tactique", {**QUIET, "d4": "A", "d6": "c"}, "h6-h5", "a3-a2", "h5-h6", fields="N 0 1"
    )
    assert reply["annotated"] == ["h6-h5 ~d6", "a3-a2", "h5-h6 ~d6!"]
    assert stands(reply, "tactique", {**FLAGS, "d4": "A", "a2": "C", "h6": "c"})


@pytest.mark.parametrize(
    ("before", "after"),
    [("c", "v'"), ("v", "p'"), ("p", "i'"), ("i", "w'"), ("a", ""), ("w'", ""), ("v'", "")],
)
def test_effects_of_one_hit_t9(before: str, after: str) -> None:
    reply = ask("tactique", {**QUIET, "d4": "A", "d6": before}, "h6-h5", fields="N 0 1")
    left = {**FLAGS, "a3": "C", "h5": "c", "d4": "A", **({"d6": after} if after else {})}
    assert stands(reply, "tactique", left)
    assert reply["annotated"] == ["h6-h5 ~d6" + ("" if after else "!")]


def test_two_archers_hit_twice_t9() -> None:
    pieces = {**QUIET, "d4": "A", "c5": "A", "d6": "c"}
    assert ask("tactique", pieces, "h6-h5", fields="N 0 1")["annotated"] == ["h6-h5 ~d6!"]
    once = ask("tactique", pieces, "h6-h5", fields="N 0 1", multi_hit="once")
    assert once["annotated"] == ["h6-h5 ~d6"]


def test_a_line_of_sight_matters_only_when_switched_on_t9() -> None:
    pieces = {**QUIET, "d4": "A", "d5": "C", "d6": "c", "e5": "p"}
    assert ask("tactique", pieces, "h6-h5", fields="N 0 1")["annotated"] == ["h6-h5 ~d6 ~e5"]
    sight = ask("tactique", pieces, "h6-h5", fields="N 0 1", archer_los=True)
    assert sight["annotated"] == ["h6-h5 ~e5"]


def test_a_flag_is_hit_only_when_switched_on_t9() -> None:
    pieces = {"a1": "F", "h8": "f", "h6": "A", "a3": "C", "c8": "c"}
    reply = ask("tactique", pieces, "c8-c7", fields="N 3 1")
    assert reply["status"] is None and reply["position"].endswith("S 4 2")
    shot = ask("tactique", pieces, "c8-c7", fields="N 3 1", volley_flag=True)
    assert shot["status"] == ["S", "flag shot"] and shot["annotated"] == ["c8-c7 ~h8!"]


def test_the_shuttle_rule_t10() -> None:
    moves = ["a3-a2", "h6-h5", "a2-a3", "h5-g5"]
    reply = ask("tactique", QUIET, *moves)
    assert "a3-a2" not in reply["legal"] and "a3-a4" in reply["legal"]
    assert "a3-a2" in ask("tactique", QUIET, *moves, two_square=3)["legal"]
    assert "a3-a2" in ask("tactique", QUIET, *moves, two_square=0)["legal"]
    assert ask("tactique", QUIET, *moves, "a3-a2")["at"] == 4


def test_a_charge_over_the_same_squares_is_free_and_breaks_the_row_t10() -> None:
    pieces = {**QUIET, "b2": "i"}
    moves = ["a3-a2", "h6-h5", "a2-a3", "h5-g5"]
    reply = ask("tactique", pieces, *moves)
    assert "a3-a2xb2" in reply["legal"] and "a3-a2" not in reply["legal"]
    broken = ask("tactique", pieces, *moves, "a3-a2xb2", "g5-g6")
    assert broken["annotated"][4] == "a3-a2xb2[CvI]+d"
    assert "a2-a3" in broken["legal"]


def test_another_piece_is_free_t10() -> None:
    pieces = {**QUIET, "b3": "C"}
    reply = ask("tactique", pieces, "a3-a2", "h6-h5", "b3-b2", "h5-g5", "a2-a3", "g5-g4")
    assert "a3-a2" in reply["legal"]


@pytest.mark.parametrize(
    ("attacker", "defender", "mark", "after"),
    [
        ("C", "v", "+d", {"d4": "C", "d5": "p'"}),
        ("C", "v'", "+", {"d5": "C"}),
        ("P'", "i", "+d", {"d4": "P'", "d5": "w'"}),
        ("I", "v", "-d", {"d4": "W'", "d5": "v"}),
        ("P'", "v", "-", {"d5": "v"}),
        ("P", "p", "=", {}),
        ("P'", "p", "=", {}),
        ("W'", "w'", "=", {}),
        ("C", "a", "+", {"d5": "C"}),
        ("W'", "a", "+", {"d5": "W'"}),
        ("I", "w'", "+", {"d5": "I"}),
        ("W'", "i", "-", {"d5": "i"}),
    ],
)
def test_battles(attacker: str, defender: str, mark: str, after: dict[str, str]) -> None:
    reply = ask("tactique", {**QUIET, "d4": attacker, "d5": defender}, "d4xd5", fields="S 8 2")
    assert reply["annotated"] == [f"d4xd5[{attacker}v{defender.upper()}]{mark}"]
    assert stands(reply, "tactique", {**QUIET, **after})
    assert reply["position"].endswith("N 0 3")


@pytest.mark.parametrize(
    ("attacker", "defender", "after"),
    [
        ("C", "v", {"d4": "C", "d5": "p'"}),
        ("C", "v'", {"d5": "C"}),
        ("I", "v", {"d4": "W'", "d5": "v"}),
        ("P'", "v", {"d5": "v"}),
        ("P", "p", {}),
        ("C", "a", {"d5": "C"}),
    ],
)
def test_squares_of_the_pieces_of_a_charge(
    attacker: str, defender: str, after: dict[str, str]
) -> None:
    reply = ask("tactique", {**QUIET, "d1": attacker, "d5": defender}, "d1-d4xd5")
    assert stands(reply, "tactique", {**QUIET, **after})


def test_the_mark_of_a_demoted_piece_is_public_t11() -> None:
    reply = ask("tactique", {**QUIET, "d4": "C", "d5": "v"}, "d4xd5")
    assert "?'" in reply["views"][0] and "p'" in reply["views"][1]
    assert reply["views"][1].count("?") == 3


def test_a_demoted_one_against_an_archer_t12() -> None:
    reply = ask("tactique", {**QUIET, "d4": "W'", "d5": "a"}, "d4xd5", d1_takes_archer=False)
    assert reply["annotated"] == ["d4xd5[W'vA]="] and stands(reply, "tactique", QUIET)
    reply = ask("tactique", {**QUIET, "d4": "I", "d5": "a"}, "d4xd5", d1_takes_archer=False)
    assert stands(reply, "tactique", {**QUIET, "d5": "I"})


def test_demoted_pieces_change_sides_t13() -> None:
    reply = ask("tactique-convert", {**QUIET, "d4": "C", "d5": "v"}, "d4xd5")
    assert stands(reply, "tactique", {**QUIET, "d4": "C", "d5": "P'"})
    reply = ask("tactique-convert", {**QUIET, "d1": "I", "d5": "v"}, "d1-d4xd5")
    assert stands(reply, "tactique", {**QUIET, "d4": "w'", "d5": "v"})
    assert reply["views"][0].count("?'") == 1


def test_a_volley_converts_no_piece_t13() -> None:
    reply = ask("tactique-convert", {**QUIET, "d4": "A", "d6": "c"}, "h6-h5", fields="N 0 1")
    assert "v'" in reply["position"]


def test_the_flags_taker_wins_t14() -> None:
    reply = ask("tactique", {"a1": "F", "h8": "f", "a8": "W'", "h5": "c"}, "a8-g8xh8")
    assert reply["status"] == ["S", "flag captured"] and reply["legal"] == []
    assert reply["annotated"] == ["a8-g8xh8[W'vF]#"]


def test_no_volley_follows_the_flags_capture_c6() -> None:
    pieces = {"a1": "F", "h8": "f", "h7": "C", "h5": "a"}
    assert ask("tactique", pieces, "h7xh8")["annotated"] == ["h7xh8[CvF]#"]


def test_a_volley_may_remove_the_last_mobile_piece_t14_c6() -> None:
    reply = ask("tactique", {**FLAGS, "d4": "A", "e7": "v'"}, "e7-e5", fields="N 199 1")
    assert reply["annotated"] == ["e7-e5 ~e5!"]
    assert reply["status"] == ["S", "no mobile piece left"]


def test_a_volley_hit_is_progress_c7() -> None:
    pieces = {**QUIET, "d4": "A", "d6": "c"}
    assert ask("tactique", pieces, "h6-h5", fields="N 199 1")["status"] is None
    reply = ask("tactique", pieces, "a3-a2", fields="S 199 1")
    assert reply["position"].endswith("N 200 2") and reply["status"] == ["draw", "no progress"]


def test_the_volley_comes_before_the_test_for_legal_actions_t8_c6() -> None:
    """A lone archer between two enemies cannot act, until its volley clears the square it needs."""
    pieces = {"b1": "F", "h8": "f", "a1": "A", "a2": "i", "a4": "c"}
    assert ask("tactique", pieces, "a4-a3", fields="N 0 1")["annotated"] == ["a4-a3 ~a3"]
    assert ask("tactique", pieces, "a4-a3", fields="N 0 1")["status"] == ["N", "no legal move"]
