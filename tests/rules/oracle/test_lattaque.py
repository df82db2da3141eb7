"""The oracle's L'Attaque, L1 to L11."""

import random
from typing import Any

import pytest

from tests.rules.oracle import lattaque
from tests.rules.oracle.questions import EVERYTHING, ask, board_of, stands
from tests.rules.oracle.referee import answer, random_setup

SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
NORTH = "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR"
FIRST = (
    "lfrcrrklk1/gbbjc1serb/elks1rrekr/mejsy1lsbr/2~~2~~2/2~~2~~2/"
    "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES S 0 0"
)
FLAGS = {"a1": "F", "j10": "f"}
QUIET = {**FLAGS, "j1": "K", "a10": "k"}  # Both sides can always move something.


def targets(reply: dict[str, Any], start: str) -> set[str]:
    return {move[len(start) :] for move in reply["legal"] if move.startswith(start)}


def test_the_example_setups_give_the_example_position() -> None:
    reply = answer({"preset": "lattaque-en", "setup": [SOUTH, NORTH], "want": EVERYTHING})
    assert reply["position"] == FIRST
    assert reply["status"] is None and reply["volley"] is None and reply["annotated"] == []
    assert reply["legal"] == sorted(reply["legal"])


def test_a_view_shows_the_own_army_alone() -> None:
    reply = answer({"preset": "lattaque-en", "setup": [SOUTH, NORTH], "want": ["views"]})
    lakes = "/2~~2~~2/2~~2~~2/"
    assert reply["views"][0] == (
        "?????????1/?????1????/????1?????/?????1????"
        + lakes
        + "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
    )
    assert reply["views"][1] == (
        "lfrcrrklk1/gbbjc1serb/elks1rrekr/mejsy1lsbr"
        + lakes
        + "???1?1????/??????1???/???????1??/??????????"
    )


def test_only_wanted_keys_are_answered() -> None:
    reply = answer({"preset": "lattaque-en", "setup": [SOUTH, NORTH], "want": ["status"]})
    assert reply == {"status": None}


def test_the_small_board_is_full_at_the_start() -> None:
    south = "SBRKRRBES/EMSFCYRBK/KGCRKBELE/RLLJSRLRJ"
    reply = answer({"preset": "lattaque-gibson", "setup": [south, south], "want": ["position"]})
    low = south.lower()
    assert reply["position"] == f"{low}/2~1~1~2/2~1~1~2/{south} S 0 0"


@pytest.mark.parametrize("preset", ["lattaque-en", "lattaque-gibson"])
def test_a_random_setup_is_accepted(preset: str) -> None:
    rng = random.Random(1)
    setup = [random_setup(preset, None, seat, rng) for seat in "SN"]
    assert "error" not in answer({"preset": preset, "setup": setup, "want": ["position"]})


@pytest.mark.parametrize(
    "south",
    [
        SOUTH.replace("M", "G"),
        SOUTH.lower(),
        SOUTH.replace("RRR1", "RRR2"),
        SOUTH + "/10",
        "10/" + SOUTH,
        "",
    ],
)
def test_a_wrong_setup_is_refused(south: str) -> None:
    reply = answer({"preset": "lattaque-en", "setup": [south, NORTH], "want": ["position"]})
    assert set(reply) == {"error"}


def test_lakes_and_edges_stop_a_scout_l1_l4() -> None:
    reply = ask("lattaque-en", {**QUIET, "c4": "R"})
    assert targets(reply, "c4") == {
        *["-c3", "-c2", "-c1", "-a4", "-b4"],
        *["-d4", "-e4", "-f4", "-g4", "-h4", "-i4", "-j4"],
    }


def test_mines_and_flags_never_move_l3() -> None:
    reply = ask("lattaque-en", {**FLAGS, "e5": "B", "e4": "K", "a10": "k"})
    assert targets(reply, "e5") == set() == targets(reply, "a1")
    assert targets(reply, "e4") == {"-e3", "-d4", "-f4"}


def test_a_scout_attacks_from_afar_unless_switched_off_l4() -> None:
    pieces = {**QUIET, "a4": "R", "a9": "s", "b4": "s"}
    assert {"a4xa9", "a4xb4", "a4-a8"} <= set(ask("lattaque-en", pieces)["legal"])
    near = ask("lattaque-en-shortscout", pieces)["legal"]
    assert "a4xa9" not in near and {"a4xb4", "a4-a8"} <= set(near)


def test_a_scout_does_not_jump_l4() -> None:
    reply = ask("lattaque-en", {**QUIET, "a4": "R", "a7": "K", "c4": "s", "d4": "s"})
    assert targets(reply, "a4") == {"-a5", "-a6", "-a3", "-a2", "-b4", "xc4"}


def test_a_survivor_is_hidden_again_or_face_up_l5() -> None:
    pieces = {**QUIET, "e4": "C", "e5": "s"}
    assert ask("lattaque-en", pieces, "e4xe5")["views"][1].count("!") == 0
    reply = ask("lattaque-zh", pieces, "e4xe5")
    assert stands(reply, "lattaque-zh", {**QUIET, "e5": "C!"})
    assert "C!" in reply["views"][1] and reply["views"][0].count("?") == 2


def test_a_winning_mine_is_face_up_l5_l7() -> None:
    reply = ask("lattaque-zh", {**QUIET, "e4": "C", "e5": "b"}, "e4xe5")
    assert stands(reply, "lattaque-zh", {**QUIET, "e5": "b!"})
    assert reply["annotated"] == ["e4xe5[CvB]-"]


def test_a_scouts_long_move_uncovers_it_and_a_single_step_does_not_l5() -> None:
    pieces = {**QUIET, "e4": "R"}
    assert stands(ask("lattaque-zh", pieces, "e4-e6"), "lattaque-zh", {**QUIET, "e6": "R!"})
    assert stands(ask("lattaque-zh", pieces, "e4-e5"), "lattaque-zh", {**QUIET, "e5": "R"})
    assert stands(ask("lattaque-en", pieces, "e4-e6"), "lattaque-en", {**QUIET, "e6": "R"})


def test_a_face_up_piece_stays_so_l5() -> None:
    reply = ask("lattaque-zh", {**QUIET, "e4": "C!"}, "e4-e5")
    assert stands(reply, "lattaque-zh", {**QUIET, "e5": "C!"})


def test_no_backward_moves_or_attacks_l6() -> None:
    pieces = {**QUIET, "e4": "R", "e2": "s", "i5": "C", "b7": "e", "b8": "K"}
    reply = ask("lattaque-en-forward", pieces)
    assert not targets(reply, "e4") & {"-e3", "xe2"}
    assert targets(reply, "i5") == {"-i6", "-j5"}
    north = ask("lattaque-en-forward", pieces, fields="N 0 1")
    assert targets(north, "b7") == {"-b6", "-a7", "-c7"}
    some = ask("lattaque-en", pieces, no_back="R")
    assert "-i4" in targets(some, "i5") and "-e3" not in targets(some, "e4")


def test_the_whole_table_of_battles() -> None:
    """By hand: the stronger rank wins, and then the exceptions."""
    order = "MGCJKLSERY"
    for attacker in order:
        for defender in order + "BF":
            expected = "#" if defender == "F" else "D"
            if defender == "B":
                expected = "A" if attacker == "E" else "D"
            elif defender != "F" and attacker == defender:
                expected = "="
            elif defender != "F" and order.index(attacker) < order.index(defender):
                expected = "A"
            if (attacker, defender) == ("Y", "M"):
                expected = "A"
            assert lattaque.battle(attacker, defender, False) == expected


@pytest.mark.parametrize(
    ("attacker", "defender", "mark", "left"),
    [
        ("R", "k", "-", {"e5": "k"}),
        ("C", "k", "+", {"e5": "C"}),
        ("K", "k", "=", {}),
        ("E", "b", "+", {"e5": "E"}),
        ("M", "b", "-", {"e5": "b"}),
        ("Y", "m", "+", {"e5": "Y"}),
        ("M", "y", "+", {"e5": "M"}),
        ("G", "y", "+", {"e5": "G"}),
        ("Y", "g", "-", {"e5": "g"}),
    ],
)
def test_battles_on_the_board_l7(
    attacker: str, defender: str, mark: str, left: dict[str, str]
) -> None:
    reply = ask("lattaque-en", {**QUIET, "e4": attacker, "e5": defender}, "e4xe5", fields="S 9 3")
    assert stands(reply, "lattaque-en", {**QUIET, **left})
    assert reply["annotated"] == [f"e4xe5[{attacker}v{defender.upper()}]{mark}"]
    assert reply["position"].endswith(" N 0 4")


def test_spy_and_marshal_both_ways_l8() -> None:
    reply = ask("lattaque-zh-spyboth", {**QUIET, "e4": "M", "e5": "y"}, "e4xe5")
    assert stands(reply, "lattaque-zh", {**QUIET, "e5": "y!"})
    reply = ask("lattaque-zh-spyboth", {**QUIET, "e4": "Y", "e5": "m"}, "e4xe5")
    assert stands(reply, "lattaque-zh", {**QUIET, "e5": "Y!"})


def test_a_winner_goes_back_l9() -> None:
    reply = ask("lattaque-zh-return", {**QUIET, "e4": "C", "e5": "s"}, "e4xe5")
    assert stands(reply, "lattaque-zh-return", {**QUIET, "e4": "C!"})
    reply = ask("lattaque-zh-return", {**QUIET, "e4": "S", "e5": "c"}, "e4xe5")
    assert stands(reply, "lattaque-zh-return", {**QUIET, "e5": "c!"})


def test_a_winning_scout_goes_back_and_others_advance_l10() -> None:
    pieces = {"a1": "F", "i10": "f", "i1": "K", "a10": "k", "d4": "R", "d8": "y", "h4": "C"}
    scout = ask("lattaque-gibson", pieces, "d4xd8")
    assert stands(scout, "lattaque-gibson", {n: p for n, p in pieces.items() if n != "d8"})
    other = ask("lattaque-gibson", {**pieces, "h5": "s"}, "h4xh5")
    del pieces["h4"]
    assert stands(other, "lattaque-gibson", {**pieces, "h5": "C"})


@pytest.mark.parametrize("attacker", ["Y", "R", "M", "E"])
def test_any_piece_captures_the_flag_l11(attacker: str) -> None:
    reply = ask("lattaque-en", {**QUIET, "j9": attacker}, "j9xj10")
    assert reply["status"] == ["S", "flag captured"] and reply["legal"] == []
    assert reply["annotated"] == [f"j9xj10[{attacker}vF]#"]
    assert stands(reply, "lattaque-en", {"a1": "F", "j1": "K", "a10": "k", "j10": attacker})


def test_a_scout_captures_the_flag_from_afar_l11() -> None:
    reply = ask("lattaque-en", {**QUIET, "j4": "R"}, "j4xj10")
    assert reply["status"] == ["S", "flag captured"]


def test_no_move_follows_the_end() -> None:
    reply = ask("lattaque-en", {**QUIET, "j9": "Y"}, "j9xj10", "a10-a9")
    assert set(reply) == {"error", "at"} and reply["at"] == 1


def test_an_army_without_mobile_pieces_has_lost_at_once_c6() -> None:
    pieces = {**FLAGS, "e4": "C", "e5": "s", "i9": "b"}
    assert ask("lattaque-en", pieces, "e4xe5")["status"] == ["S", "no mobile piece left"]
    lost = ask("lattaque-en", {**FLAGS, "e4": "S", "e5": "c"}, "e4xe5")
    assert lost["status"] == ["N", "no mobile piece left"]


def test_two_armies_without_mobile_pieces_draw_c6() -> None:
    reply = ask("lattaque-en", {**FLAGS, "e4": "S", "e5": "s"}, "e4xe5")
    assert reply["status"] == ["draw", "no mobile piece left"]


def test_a_blocked_army_loses_c6() -> None:
    pieces = {"b1": "F", "a1": "K", "a2": "B", "j10": "f", "e8": "k"}
    reply = ask("lattaque-en", pieces, "e8-e7", fields="N 0 1")
    assert reply["status"] == ["N", "no legal move"]


def test_two_blocked_armies_draw_c6() -> None:
    south, north = {"a1": "K", "b1": "F", "a2": "B"}, {"j10": "k", "i10": "f", "j9": "b"}
    reply = ask("lattaque-en", {**south, **north, "e4": "C", "e5": "c"}, "e4xe5")
    assert reply["status"] == ["draw", "neither side can move"]
    half = ask("lattaque-en", {**south, **north, "e4": "C", "e5": "c", "j7": "L"}, "e4xe5")
    assert half["status"] == ["S", "no legal move"]


def test_a_position_one_starts_from_is_not_over_c6() -> None:
    reply = ask("lattaque-en", FLAGS, fields="S 200 300")
    assert reply["status"] is None and reply["legal"] == []


def test_two_hundred_plies_without_a_battle_draw_c7() -> None:
    assert ask("lattaque-en", QUIET, "j1-j2", fields="S 198 7")["status"] is None
    reply = ask("lattaque-en", QUIET, "j1-j2", fields="S 199 7")
    assert reply["status"] == ["draw", "no progress"] and reply["position"].endswith("N 200 8")
    assert ask("lattaque-en", QUIET, "j1-j2", fields="S 4 7", limit=5)["status"][0] == "draw"


def test_the_two_square_rule_forbids_the_sixth_move_c9() -> None:
    to_and_fro = ["j1-j2", "a10-a9", "j2-j1", "a9-b9", "j1-j2", "b9-a9", "j2-j1", "a9-b9"]
    moves = [*to_and_fro, "j1-j2", "b9-c9"]
    reply = ask("lattaque-en-isf2sq", QUIET, *moves)
    assert targets(reply, "j2") == {"-j3", "-i2"}
    assert "j2-j1" in ask("lattaque-en", QUIET, *moves)["legal"]
    assert ask("lattaque-en-isf2sq", QUIET, *moves, "j2-j1")["at"] == 10
    broken = ask("lattaque-en-isf2sq", QUIET, *moves, "j2-j3", "c9-c8", "j3-j2", "c8-c7")
    assert "j2-j1" in broken["legal"]


def test_attacks_count_in_the_two_square_rule_c9() -> None:
    pieces = {**QUIET, "e4": "M", "e5": "s", "f5": "c"}
    reply = ask("lattaque-en", pieces, "e4xe5", "a10-a9", "e5-e4", "f5-e5", two_square=2)
    assert "e4xe5" not in reply["legal"] and "e4-d4" in reply["legal"]


def test_the_two_square_rule_can_end_a_game_c9_c6() -> None:
    pieces = {"a1": "K", "b1": "F", "b2": "B", "a3": "B", "j10": "f", "e9": "k"}
    reply = ask("lattaque-en", pieces, "a1-a2", "e9-e8", two_square=1)
    assert reply["status"] == ["N", "no legal move"]


def test_the_board_option_makes_any_edition_small() -> None:
    reply = ask("lattaque-zh", {"a1": "F", "i10": "f", "i1": "K", "a10": "k"}, board="9x10")
    assert reply["position"].startswith("k7f/9/9/9/2~1~1~2/")
    assert board_of("lattaque-en", {}).startswith("10/10/10/10/2~~2~~2/")
