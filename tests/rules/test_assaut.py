"""Assaut: the board's lines, soldiers, officers, huffing, and the end."""

import pytest

from games.rules.core.basics.moves import Capture
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, IllegalMove
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import begin
from games.rules.core.observation import observe
from games.rules.core.state.events import Captured, Ended, Huffed, Walked
from games.rules.core.text.notation import (
    board_text,
    read_move,
    read_position,
    read_setup,
    write_move,
    write_position,
    write_setup,
)
from games.rules.systems.assaut.game import Assaut
from games.rules.systems.assaut.geometry import BOARD, DISTANCE, NEIGHBOURS
from tests.floors import at_least
from tests.rules.shortcuts import board, ending, happenings, legal, opened, play, rules_of

HUFF = rules_of("assaut")
START = "~~o1o~~/~~3~~/SS3SS/SSSSSSS/SSSSSSS/~~SSS~~/~~SSS~~ S 0 0 0 -"
SOLDIERS, OFFICERS = Seat.SOUTH, Seat.NORTH

SHORTEST = """
a5>b5 b5>c5 a4>b4 b4>c5 c4>c5 d4>c5,d5,e5 e4>e5 f4>e5 g4>f4 f5>e5 g5>f5 a3>b4 b3>b4 c3>b4,c4,d4
d3>d4 e3>d4,e4,f4 f3>f4 g3>f4 c2>c3 d2>c3,d3,e3 e2>e3 c1>c2,d2 d1>d2 e1>d2,e2
"""


def names(cells: tuple[int, ...]) -> set[str]:
    return {BOARD.names[cell] for cell in cells}


def targets(rules: object, square: str) -> set[str]:
    """Where a lone soldier on a point may go."""
    assert isinstance(rules, Assaut)
    cell = BOARD.index[square]
    cells = bytearray(BOARD.blank)
    cells[cell] = rules.faces["S"]
    return {BOARD.names[walk.target] for walk in rules.walks(bytes(cells), SOLDIERS)}


def test_there_are_seventy_two_lines() -> None:
    assert sum(len(ends) for ends in NEIGHBOURS.values()) == 2 * 72
    straight = sum(
        BOARD.heading(cell, target) != 0 for cell, ends in NEIGHBOURS.items() for target in ends
    )
    assert straight == 2 * 52


def test_oblique_lines_cross_in_five_centres() -> None:
    centres = {BOARD.names[cell] for cell, ends in NEIGHBOURS.items() if len(ends) == 8}
    assert centres == {"d6", "d4", "d2", "b4", "f4"}


def test_distances_are_those_of_the_rules() -> None:
    distance = {BOARD.names[cell]: lines for cell, lines in DISTANCE.items()}
    assert [distance[f"{file}5"] for file in "abcdefg"] == [2, 1, 0, 0, 0, 1, 2]
    assert [distance[f"{file}4"] for file in "abcdefg"] == [2, 1, 1, 1, 1, 1, 2]
    assert {distance[f"{file}3"] for file in "abcdefg"} == {2}
    assert {distance[f"{file}2"] for file in "cde"} == {3}
    assert {distance[f"{file}1"] for file in "cde"} == {4}


@pytest.mark.parametrize("line", SHORTEST.split())
def test_a_soldier_moves_on_a_shortest_path(line: str) -> None:
    source, ends = line.split(">")
    assert targets(HUFF, source) == set(ends.split(","))


def test_a_soldier_in_the_fortress_moves_in_any_direction_and_never_out() -> None:
    assert targets(HUFF, "d5") == {"c5", "e5", "d6"}
    assert targets(HUFF, "c5") == {"d5", "c6", "d6"}
    assert targets(HUFF, "d6") == {"c5", "d5", "e5", "c6", "e6", "c7", "d7", "e7"}


def test_free_soldiers_move_sideways_and_never_back() -> None:
    free = rules_of("assaut-free")
    assert targets(free, "b4") == {"a4", "c4", "b5", "a5", "c5"}
    assert targets(free, "a3") == {"b3", "a4", "b4"}
    assert targets(free, "c5") == {"d5", "c6", "d6"}


def test_german_soldiers_move_forward_and_sideways_only_in_row_five() -> None:
    german = rules_of("assaut-german")
    assert targets(german, "b4") == {"b5", "a5", "c5"}
    assert targets(german, "a5") == {"b5"}
    assert targets(german, "f5") == {"e5"}
    assert targets(german, "c3") == {"b4", "c4", "d4"}


def test_officers_are_placed_openly_and_soldiers_move_first() -> None:
    start = begin(HUFF, None)
    assert start.to_act == (OFFICERS,)
    setup = read_setup(HUFF, OFFICERS, "c7,e7")
    assert read_setup(HUFF, OFFICERS, " E7 C7 ") == setup
    assert write_setup(HUFF, setup) == "c7,e7"
    position = read_position(HUFF, START)
    assert position.to_act == (SOLDIERS,)
    assert write_position(HUFF, position) == START
    for viewpoint in Viewpoint:
        seen = observe(HUFF, position, viewpoint)
        assert board_text(HUFF, seen) == START.split()[0]
        assert len(observe(HUFF, start, viewpoint).pieces) == 24


@pytest.mark.parametrize("text", ["c7", "c7,c7", "c7,c4", "c7,e7,d6", "", "c7;e7", "c7,,e7"])
def test_an_invalid_placement_is_refused(text: str) -> None:
    with pytest.raises(BadSetup) as caught:
        read_setup(HUFF, OFFICERS, text)
    assert str(caught.value) in (
        "Two officers take two different points, for example c7,e7.",
        f"“{text[-2:]}” is not a point of the fortress.",
        f"“{text}” is not a point of the fortress.",
        "“” is not a point of the fortress.",
    )


def test_soldiers_have_nothing_to_set_up() -> None:
    assert HUFF.check_setup(SOLDIERS, "c7,e7")


def test_an_officer_steps_along_lines_in_and_out_of_the_fortress() -> None:
    position = "~~3~~/~~3~~/2o4/7/3S3/~~3~~/~~o2~~ O 0 9 3 -"
    assert [move for move in legal(HUFF, position) if move.startswith("c5")] == [
        "c5-b4",
        "c5-b5",
        "c5-c4",
        "c5-c6",
        "c5-d4",
        "c5-d5",
        "c5-d6",
    ]


def test_an_officer_jumps_over_a_soldier_to_the_free_point_behind() -> None:
    position = "~~3~~/~~3~~/3o3/3S3/7/~~3~~/~~o1S~~ O 5 9 3 -"
    ((after, events),) = happenings(HUFF, position, "d5xd3")
    assert board(HUFF, after) == "~~3~~/~~3~~/7/7/3o3/~~3~~/~~o1S~~"
    assert after.memory.captured == 4
    assert after.quiet == 0
    assert events == (Captured(OFFICERS, ("d5", "d3"), ("d4",)),)


def test_officers_do_not_jump_officers_two_pieces_or_off_the_lines() -> None:
    position = "~~3~~/~~3~~/3o3/3o3/7/~~3~~/~~2S~~ O 0 9 3 -"
    assert all("x" not in move for move in at_least(1, legal(HUFF, position)))
    position = "~~3~~/~~3~~/3o3/3S3/3S3/~~3~~/~~o1S~~ O 0 9 3 -"
    assert all("x" not in move for move in at_least(1, legal(HUFF, position)))
    # From c4 no oblique line leads to d3, for four and three make an odd number.
    position = "~~3~~/~~3~~/7/2o4/3S3/~~3~~/~~o1S~~ O 0 9 3 -"
    assert all("x" not in move for move in at_least(1, legal(HUFF, position)))


CHAIN = "~~3~~/~~3~~/3o3/3S3/S6/~~1S1~~/~~3~~ O 0 9 3 -"


def test_every_part_of_a_chain_is_a_turn() -> None:
    captures = [move for move in legal(HUFF, CHAIN) if "x" in move]
    assert captures == ["d5xd3", "d5xd3xd1"]
    assert list(legal(rules_of("assaut-compulsory"), CHAIN)) == ["d5xd3xd1"]


def test_a_chain_may_return_to_where_it_began() -> None:
    # Round the square c3, c5, e5, e3 over its four sides.
    position = "~~3~~/~~3~~/2oS3/2S1S2/3S3/~~3~~/~~2o~~ O 0 9 3 -"
    captures = [move for move in legal(HUFF, position) if "x" in move]
    assert "c5xe5xe3xc3xc5" in captures
    assert "c5xc3xe3xe5xc5" in captures
    after = play(HUFF, position, "c5xe5xe3xc3xc5")
    assert board(HUFF, after) == "~~3~~/~~3~~/2o4/7/7/~~3~~/~~2o~~"


def test_a_chain_stops_at_the_sixteenth_soldier() -> None:
    position = CHAIN.replace(" 3 -", " 15 -")
    assert [move for move in legal(HUFF, position) if "x" in move] == ["d5xd3"]
    with pytest.raises(IllegalMove) as caught:
        read_move(HUFF, read_position(HUFF, position), OFFICERS, "d5xd3xd1")
    assert str(caught.value) == "The chain ends on d3, with the sixteenth soldier."
    after = play(HUFF, position, "d5xd3")
    assert ending(after) == (OFFICERS, "sixteen captured")
    assert after.memory.offenders == ()


def test_chains_can_be_chosen_jump_by_jump() -> None:
    position = read_position(HUFF, "~~3~~/~~3~~/2oS3/2S1S2/3S3/~~3~~/~~2o~~ O 0 9 3 -")
    assert isinstance(HUFF, Assaut)
    first = HUFF.jumps.continuations(position, None)
    assert sorted(write_move(HUFF, move) for move in first) == ["c5xc3", "c5xe5"]
    second = HUFF.jumps.continuations(position, first[0])
    assert all(len(move.points) == 3 for move in second)
    grown: set[Capture] = set()
    ring = list(first)
    while ring:
        grown |= set(ring)
        ring = [longer for move in ring for longer in HUFF.jumps.continuations(position, move)]
    listed = {move for move in HUFF.legal_moves(position, OFFICERS) if isinstance(move, Capture)}
    assert grown == listed


def test_the_rules_name_the_points_jumped_over() -> None:
    assert HUFF.jumps.jumped_over(("c3", "e3", "e5", "c5", "c3")) == ("d3", "e4", "d5", "c4")
    assert (
        HUFF.jumps.jumped_over(("d5", "d4"))
        == HUFF.jumps.jumped_over(("d5",))
        == HUFF.jumps.jumped_over(())
        == ()
    )
    # From d5 no oblique line leads on, so there is nothing between.
    assert HUFF.jumps.jumped_over(("d5", "b3")) == ()
    assert rules_of("tactique").jumps is None


def test_a_step_instead_of_a_capture_lets_the_soldiers_huff_any_officer_that_could_capture() -> (
    None
):
    position = "~~3~~/~~3~~/3o3/3S3/7/~~SS1~~/~~o2~~ O 0 9 3 -"
    after = play(HUFF, position, "d5-d6")
    assert write_position(HUFF, after).endswith(" S 1 10 3 c1,d6")
    after = play(HUFF, position.replace("SS1", "3"), "c1-c2")
    assert write_position(HUFF, after).endswith(" S 1 10 3 d5")


def test_a_capture_by_one_officer_is_no_offence_of_the_other() -> None:
    position = "~~3~~/~~3~~/3o3/3S3/7/~~S2~~/~~o2~~ O 0 9 3 -"
    assert write_position(HUFF, play(HUFF, position, "d5xd3")).endswith(" S 0 10 4 -")


def test_an_interrupted_chain_is_an_offence() -> None:
    position = CHAIN
    assert write_position(HUFF, play(HUFF, position, "d5xd3")).endswith(" S 0 10 4 d3")
    assert write_position(HUFF, play(HUFF, position, "d5xd3xd1")).endswith(" S 0 10 5 -")


HUFFABLE = "~~o2~~/~~3~~/3o3/3S3/2S4/~~3~~/~~3~~ S 7 10 3 c7,d5"


def test_one_offender_is_huffed_and_an_ordinary_move_follows() -> None:
    moves = legal(HUFF, HUFFABLE)
    assert "*d5,d4-d5" in moves
    assert "d4-d5" not in moves
    assert "*c7,c3-c4" in moves
    assert "c3-c4" in moves
    ((after, events),) = happenings(HUFF, HUFFABLE, "* D5 , d4 d5")
    assert events == (Huffed(OFFICERS, "d5"), Walked(SOLDIERS, "d4", "d5"))
    assert write_position(HUFF, after) == ("~~o2~~/~~3~~/3S3/7/2S4/~~3~~/~~3~~ O 0 11 3 -")


def test_the_right_to_huff_lapses() -> None:
    after = play(HUFF, HUFFABLE, "c3-c4", "d5xd3")
    assert all("*" not in move for move in at_least(1, legal(HUFF, after)))


def test_huffing_the_last_officer_ends_the_game_without_a_move() -> None:
    position = "~~3~~/~~3~~/3o3/3S3/2S4/~~3~~/~~3~~ S 7 10 3 d5"
    assert [move for move in legal(HUFF, position) if "*" in move] == ["*d5"]
    ((after, events),) = happenings(HUFF, position, "*d5")
    assert ending(after) == (SOLDIERS, "officers blown")
    assert isinstance(events[-1], Ended)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "c3-d3",
            "The move from c3 to d3 brings the soldier no nearer to the fortress, and here it"
            " must.",
        ),
        ("c3-c2", "Soldiers never go back, and c2 is behind c3."),
        ("c3-e5", "No line leads straight from c3 to e5."),
        ("c3xe5", "No line leads straight from c3 to e5."),
        ("d4-d5", "The point d5 is not free."),
        ("d5-d6", "There is no piece of yours on d5."),
        ("*c7", "After huffing on c7 a soldier moves in the same turn, for example *c7,c4-c5."),
        (
            "*d6,c3-c4",
            "There is no officer on d6 that missed a capture in the last turn, so none can"
            " be huffed there.",
        ),
        ("e6-e4", "No line leads straight from e6 to e4."),
        ("e6-f5", "No line leads straight from e6 to f5."),
        ("e5-f5", "A soldier in the fortress must stay in it, and f5 is outside."),
    ],
)
def test_a_refusal_says_what_a_soldier_may_not_do(text: str, words: str) -> None:
    position = "~~o2~~/~~2S~~/3oS2/3S3/2S4/~~3~~/~~3~~ S 7 10 3 c7,d5"
    with pytest.raises(IllegalMove) as caught:
        read_move(HUFF, read_position(HUFF, position), SOLDIERS, text)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "d5-f5",
            "An officer cannot jump from d5 to f5: it takes a soldier on the next point of a"
            " line, and a free point behind it on the same line.",
        ),
        ("d5-d4", "The point d4 is not free."),
        ("d4-d3", "There is no piece of yours on d4."),
        ("*d5", "Only the soldiers' side may huff an officer."),
    ],
)
def test_a_refusal_says_what_an_officer_may_not_do(text: str, words: str) -> None:
    position = "~~3~~/~~3~~/3o3/3S3/7/~~3~~/~~o1S~~ O 0 9 3 -"
    with pytest.raises(IllegalMove) as caught:
        read_move(HUFF, read_position(HUFF, position), OFFICERS, text)
    assert str(caught.value) == words


def test_compulsory_captures_are_the_only_legal_turns() -> None:
    rules = rules_of("assaut-compulsory")
    position = CHAIN
    for text, words in (
        ("d5-d6", "An officer can capture, so you must capture."),
        ("d5xd3", "The officer can continue capturing from d3, so it must."),
    ):
        with pytest.raises(IllegalMove) as caught:
            read_move(rules, read_position(rules, position), OFFICERS, text)
        assert str(caught.value) == words


def test_a_filled_fortress_wins_before_anything_else() -> None:
    position = "~~SSS~~/~~SSS~~/2SS3/4S2/7/~~3~~/~~o1o~~ S 0 40 15 -"
    assert ending(play(HUFF, position, "e4-e5")) == (SOLDIERS, "fortress filled")


def test_soldiers_that_cannot_move_have_lost() -> None:
    position = "~~3~~/~~3~~/S1o4/7/2o4/~~3~~/~~3~~ O 0 40 15 -"
    assert ending(play(HUFF, position, "c5-b5")) == (OFFICERS, "soldiers cannot move")


SHUT_IN = "~~oSS~~/~~S1S~~/2S1S2/3S3/7/~~3~~/~~3~~ S 0 40 10 -"


def test_officers_that_cannot_move_lose_or_win() -> None:
    after = play(HUFF, SHUT_IN, "d4-d5")
    assert ending(after) is None
    shut_in = SHUT_IN.replace("~~S1S~~", "~~SSS~~")
    assert ending(play(HUFF, shut_in, "d4-d5")) == (SOLDIERS, "officers blocked")
    assert ending(play(rules_of("assaut-noblock"), shut_in, "d4-d5")) == (
        OFFICERS,
        "officers blocked (forbidden)",
    )


def test_one_hundred_turns_without_progress_are_a_draw() -> None:
    free = rules_of("assaut-free")
    position = "~~o2~~/~~3~~/7/7/S6/~~3~~/~~3~~ S 99 300 3 -"
    assert ending(play(free, position, "a3-b3")) == (None, "no progress")
    after = play(free, position, "a3-a4")
    assert ending(after) == (None, "no progress")
    after = play(free, position.replace("S6/~~3~~/~~3~~", "7/~~S2~~/~~3~~"), "c2-c3")
    assert (ending(after), after.quiet) == (None, 0)
    inside = "~~o2~~/~~2S~~/7/7/7/~~3~~/~~3~~ S 98 300 3 -"
    assert play(free, inside, "e6-e5").quiet == 99


def test_one_officer_alone_plays_on() -> None:
    position = "~~o2~~/~~3~~/7/7/S6/~~3~~/~~3~~ O 0 300 3 -"
    assert ending(play(HUFF, position, "c7-c6")) is None


def test_random_placements_cover_all_thirty_six() -> None:
    seen = {board(HUFF, opened(HUFF, seed)) for seed in range(600)}
    assert len(seen) == 36
