"""The oracle's Assaut, A1 to A15."""

import random
from typing import Any

import pytest

from tests import tiers
from tests.floors import at_least
from tests.rules.oracle.assaut import DIST, FORTRESS, POINTS, Assaut, neighbours
from tests.rules.oracle.questions import EVERYTHING, ask, stands
from tests.rules.oracle.referee import PRESETS, answer, begin, options_of, random_setup

EDITIONS = [name for name in PRESETS if name.startswith("assaut")]
FIRST = "~~o1o~~/~~3~~/SS3SS/SSSSSSS/SSSSSSS/~~SSS~~/~~SSS~~ S 0 0 0 -"
SHORTEST = """
a5>b5 b5>c5 a4>b4 b4>c5 c4>c5 d4>c5,d5,e5 e4>e5 f4>e5 g4>f4 f5>e5 g5>f5 a3>b4 b3>b4 c3>b4,c4,d4
d3>d4 e3>d4,e4,f4 f3>f4 g3>f4 c2>c3 d2>c3,d3,e3 e2>e3 c1>c2,d2 d1>d2 e1>d2,e2
"""


def targets(reply: dict[str, Any], start: str) -> set[str]:
    return {move[len(start) :] for move in reply["legal"] if move.startswith(start)}


def test_the_example_setup_gives_the_example_position() -> None:
    reply = answer({"preset": "assaut", "setup": ["", "c7,e7"], "want": EVERYTHING})
    assert reply["position"] == FIRST
    assert reply["views"] == [FIRST.split()[0]] * 2
    assert reply["legal"] == [
        "b4-c5",
        "b5-c5",
        "c4-c5",
        "d4-c5",
        "d4-d5",
        "d4-e5",
        *reply["legal"][6:],
    ]
    assert reply["legal"][6:] == ["e4-e5", "f4-e5", "f5-e5"]


@pytest.mark.parametrize(
    "setup", [["", "c7"], ["", "c7,c7"], ["", "c7,c4"], ["c7", "c7,e7"], ["", ""]]
)
def test_a_wrong_setup_is_refused_a4(setup: list[str]) -> None:
    assert set(answer({"preset": "assaut", "setup": setup, "want": ["status"]})) == {"error"}


def test_there_are_thirty_six_placings_a4() -> None:
    rng = random.Random(5)
    texts = {random_setup("assaut", None, "N", rng) for _ in range(2000)}
    assert len({tuple(sorted(text.split(","))) for text in texts}) == 36


def test_points_and_lines_a1_a2_a3() -> None:
    assert len(POINTS) == 33 and len(FORTRESS) == 9
    lines = {frozenset((p, q)) for p in POINTS for q in neighbours(p)}
    assert len(lines) == 72
    assert all(p in neighbours(q) for p in POINTS for q in neighbours(p))
    slanted = [
        line for line in lines if len({p[0] for p in line}) == len({p[1] for p in line}) == 2
    ]
    assert len(slanted) == 20
    assert all(line & {"d6", "d4", "d2", "b4", "f4"} for line in slanted)


def test_the_table_of_distances_a6() -> None:
    rows = {5: "2 1 0 0 0 1 2", 4: "2 1 1 1 1 1 2", 3: "2 2 2 2 2 2 2"}
    for row, line in rows.items():
        assert " ".join(str(DIST[f"{f}{row}"]) for f in "abcdefg") == line
    assert {DIST[f"{f}2"] for f in "cde"} == {3} and {DIST[f"{f}1"] for f in "cde"} == {4}


def test_the_table_of_shortest_targets_a6() -> None:
    game = Assaut(options_of("assaut"))
    for point in at_least(33, POINTS):
        if point in FORTRESS:
            continue
        listed = [entry.split(">")[1] for entry in SHORTEST.split() if entry.startswith(point)]
        reachable = [q for q in neighbours(point) if game.soldier_may(point, q)]
        assert sorted(reachable) == sorted(listed[0].split(","))


def test_inside_any_line_and_never_out_a7() -> None:
    for preset in ["assaut", "assaut-free", "assaut-german"]:
        reply = ask(preset, {"d6": "S", "c5": "S", "c7": "o", "e7": "o"})
        assert targets(reply, "c5") == {"-d5", "-c6"}
        assert targets(reply, "d6") == {"-d7", "-c6", "-e6", "-d5", "-e5"}


def test_freer_soldiers_a8() -> None:
    reply = ask("assaut-free", {"c3": "S", "a4": "S", "g5": "S", "c7": "o", "e7": "o"})
    assert targets(reply, "c3") == {"-b3", "-d3", "-b4", "-c4", "-d4"}
    assert targets(reply, "a4") == {"-a5", "-b4"} and targets(reply, "g5") == {"-f5"}
    away = ask("assaut-free", {"b5": "S", "c7": "o", "e7": "o"})
    assert targets(away, "b5") == {"-a5", "-c5"}


def test_german_soldiers_a9() -> None:
    reply = ask("assaut-german", {"c3": "S", "a4": "S", "b5": "S", "g5": "S", "c7": "o", "e7": "o"})
    assert targets(reply, "c3") == {"-b4", "-c4", "-d4"}
    assert targets(reply, "a4") == {"-a5"}
    assert targets(reply, "b5") == {"-c5"} and targets(reply, "g5") == {"-f5"}


def test_officers_step_anywhere_a10() -> None:
    reply = ask("assaut", {"d4": "o", "c7": "o", "c1": "S"}, fields="O 0 1 0 -")
    assert targets(reply, "d4") == {"-d5", "-e5", "-e4", "-e3", "-d3", "-c3", "-c4", "-c5"}
    odd = ask("assaut", {"d3": "o", "c7": "o", "c1": "S"}, fields="O 0 1 0 -")
    assert targets(odd, "d3") == {"-d4", "-e3", "-d2", "-c3"}


def test_a_jump_needs_both_halves_of_a_line_a11() -> None:
    reply = ask(
        "assaut", {"d6": "o", "d5": "S", "c5": "S", "e6": "S", "c7": "o"}, fields="O 0 1 0 -"
    )
    assert "d6xd4" in reply["legal"] and "d6xb4" in reply["legal"]
    assert not any(move.startswith("d6xf") for move in reply["legal"])
    inside = ask(
        "assaut", {"c5": "o", "d5": "S", "c7": "o", "d6": "S"}, "c5xe7", fields="O 0 1 3 -"
    )
    assert inside["position"].split()[4] == "4" and inside["position"].split()[2] == "0"


def test_officers_and_pairs_are_not_jumped_a11() -> None:
    reply = ask("assaut", {"d6": "o", "d5": "o", "c6": "S", "d7": "S"}, fields="O 0 1 0 -")
    assert not any("x" in move for move in at_least(1, reply["legal"]))
    pair = ask("assaut", {"d6": "o", "d5": "S", "d4": "S", "e7": "o"}, fields="O 0 1 0 -")
    assert not any("x" in move for move in at_least(1, pair["legal"]))


def test_a_chain_of_jumps_and_all_its_beginnings_a12_a13() -> None:
    pieces = {"d5": "o", "d4": "S", "c3": "S", "c7": "o", "a5": "S"}
    reply = ask("assaut", pieces, fields="O 0 1 0 -")
    assert {"d5xd3", "d5xd3xb3"} <= set(reply["legal"])
    both = ask("assaut", pieces, "d5xd3xb3", fields="O 0 1 0 -")
    assert stands(both, "assaut", {"b3": "o", "c7": "o", "a5": "S"})
    assert both["position"].split()[1:] == ["S", "0", "2", "2", "-"]
    one = ask("assaut", pieces, "d5xd3", fields="O 0 1 0 -")
    assert one["position"].split()[1:] == ["S", "0", "2", "1", "d3"]


def test_a_chain_may_pass_its_start_a12() -> None:
    pieces = {"c3": "o", "d3": "S", "e4": "S", "d5": "S", "c4": "S", "c7": "o", "a5": "S"}
    reply = ask("assaut", pieces, fields="O 0 1 0 -")
    assert "c3xe3xe5xc5xc3" in reply["legal"]
    assert "c3xe3xe5xc5xc3xe3" not in reply["legal"]


def test_a_chain_stops_at_the_sixteenth_a12() -> None:
    pieces = {"d5": "o", "d4": "S", "c3": "S", "c7": "o", "a5": "S"}
    reply = ask("assaut", pieces, fields="O 0 1 15 -")
    assert "d5xd3" in reply["legal"] and "d5xd3xb3" not in reply["legal"]
    over = ask("assaut", pieces, "d5xd3", fields="O 0 1 15 -")
    assert over["status"] == ["O", "sixteen captured"]
    assert over["position"].split()[1:] == ["S", "0", "2", "16", "-"]


def test_a_step_past_a_capture_offends_at_its_new_point_a13() -> None:
    pieces = {"d5": "o", "d4": "S", "c7": "o", "a5": "S"}
    assert ask("assaut", pieces, "d5-e5", fields="O 0 1 0 -")["position"].endswith(" S 1 2 0 e5")
    other = ask("assaut", pieces, "c7-c6", fields="O 0 1 0 -")
    assert other["position"].endswith(" S 1 2 0 d5")
    assert ask("assaut", pieces, "d5xd3", fields="O 0 1 0 -")["position"].endswith(" S 0 2 1 -")


def test_both_officers_may_offend_and_one_is_huffed_a13() -> None:
    pieces = {"d5": "o", "d4": "S", "c7": "o", "c6": "S", "a5": "S", "g5": "S"}
    reply = ask("assaut", pieces, "d5-e5", fields="O 0 1 0 -")
    assert reply["position"].endswith(" c7,e5")
    assert {"*c7,a5-b5", "*e5,a5-b5", "a5-b5", "*e5,d4-e5"} <= set(reply["legal"])
    assert "d4-e5" not in reply["legal"] and "*c7" not in reply["legal"]
    blown = ask("assaut", pieces, "d5-e5", "*e5,d4-e5", fields="O 7 1 0 -")
    assert stands(blown, "assaut", {"e5": "S", "c7": "o", "c6": "S", "a5": "S", "g5": "S"})
    assert blown["position"].endswith(" O 0 3 0 -")


def test_the_right_to_blow_lapses_a13() -> None:
    pieces = {"d5": "o", "d4": "S", "c7": "o", "a5": "S", "g5": "S"}
    reply = ask("assaut", pieces, "d5-e5", "a5-b5", "e5xc3", fields="O 0 1 0 -")
    assert not any(move.startswith("*") for move in reply["legal"])
    assert ask("assaut", pieces, "d5-e5", "a5-b5", fields="O 0 1 0 -")["position"].endswith(" -")


def test_a_capture_of_one_is_no_offence_of_the_other_a13() -> None:
    pieces = {"d5": "o", "d4": "S", "c7": "o", "c6": "S", "a5": "S"}
    assert ask("assaut", pieces, "d5xd3", fields="O 0 1 0 -")["position"].endswith(" -")


def test_blowing_the_last_officer_ends_the_game_a13_a14() -> None:
    pieces = {"d5": "o", "d4": "S", "a5": "S"}
    reply = ask("assaut", pieces, "d5-e5", fields="O 0 1 0 -")
    assert "*e5" in reply["legal"] and not any(m.startswith("*e5,") for m in reply["legal"])
    over = ask("assaut", pieces, "d5-e5", "*e5", fields="O 0 1 0 -")
    assert over["status"] == ["S", "officers blown"]
    assert over["position"].split()[1:] == ["O", "0", "3", "0", "-"]


def test_compulsory_captures_a13c() -> None:
    pieces = {"d5": "o", "d4": "S", "c3": "S", "c7": "o", "a5": "S"}
    reply = ask("assaut-compulsory", pieces, fields="O 0 1 0 -")
    assert reply["legal"] == ["d5xd3xb3"]
    assert ask("assaut-compulsory", pieces, "d5xd3", fields="O 0 1 0 -")["at"] == 0
    assert ask("assaut-compulsory", pieces, "d5-e5", fields="O 0 1 0 -")["at"] == 0
    free = ask("assaut-compulsory", {"d5": "o", "c7": "o", "a5": "S"}, "d5-e5", fields="O 0 1 0 -")
    assert free["position"].endswith(" S 1 2 0 -")


def test_a_filled_fortress_wins_a14() -> None:
    pieces = {**dict.fromkeys(FORTRESS, "S"), "a3": "o", "g3": "o", "d4": "S"}
    del pieces["d5"]
    reply = ask("assaut", pieces, "d4-d5", fields="S 3 0 9 -")
    assert reply["status"] == ["S", "fortress filled"]


def test_filling_comes_before_blocking_a14() -> None:
    pieces = {**dict.fromkeys(FORTRESS, "S"), "a3": "o", "d4": "S"}
    pieces.update({"a4": "S", "a5": "S", "b4": "S", "b3": "S", "c3": "S", "c5": "S"})
    del pieces["d5"]
    reply = ask("assaut-noblock", pieces, "d4-d5")
    assert reply["status"] == ["S", "fortress filled"]


def test_blocked_officers_a14() -> None:
    pieces = {
        "c7": "o",
        "d7": "S",
        "e7": "S",
        "c6": "S",
        "d6": "S",
        "e5": "S",
        "d5": "S",
        "b5": "S",
    }
    assert ask("assaut", pieces, "b5-c5")["status"] == ["S", "officers blocked"]
    forbidden = ask("assaut-noblock", pieces, "b5-c5")
    assert forbidden["status"] == ["O", "officers blocked (forbidden)"]
    other = ask("assaut", {**pieces, "a3": "o"}, "b5-c5")
    assert other["status"] is None


def test_blocked_soldiers_a14() -> None:
    reply = ask("assaut", {"c7": "o", "a5": "S", "c5": "o"}, "c5-b5", fields="O 0 1 0 -")
    assert reply["status"] == ["O", "soldiers cannot move"]
    assert reply["position"].split()[1] == "S"


def test_a_huff_may_be_the_only_turn_a13_a14() -> None:
    """The only soldier's only point is where the offender stands."""
    reply = ask("assaut", {"a4": "S", "a3": "o", "c7": "o"}, "a3-b4", fields="O 0 1 0 -")
    assert reply["legal"] == ["*b4,a4-b4"] and reply["status"] is None
    assert reply["position"].endswith(" S 1 2 0 b4")
    innocent = ask("assaut", {"a4": "S", "c5": "o", "c7": "o"}, "c5-b4", fields="O 0 1 0 -")
    assert innocent["status"] == ["O", "soldiers cannot move"]


def test_a_hundred_plies_without_progress_draw_a14() -> None:
    pieces = {"c7": "o", "e7": "o", "a3": "S", "d5": "S"}
    assert ask("assaut", pieces, "a3-b4", fields="S 99 0 0 -")["status"] is None
    reply = ask("assaut", pieces, "d5-d6", fields="S 99 0 0 -")
    assert reply["status"] == ["draw", "no progress"] and " O 100 1 " in reply["position"]
    sideways = ask("assaut-free", pieces, "a3-b3", fields="S 98 0 0 -")
    assert " O 99 1 " in sideways["position"]


@pytest.mark.parametrize("preset", tiers.parameters(EDITIONS, fast=("assaut",)))
def test_every_listed_turn_is_playable_and_the_next_is_not(preset: str) -> None:
    rng = random.Random(6)
    request = {"preset": preset, "setup": ["", "c5,e6"]}
    game = begin(request)
    while game.status is None and game.ply < 120:
        turns = game.legal()
        assert all(game.is_legal(turn) for turn in turns) and not game.is_legal("a1-a2")
        game.play(rng.choice(turns))
