"""Notation: which texts of moves and positions are written, understood and refused."""

import pytest

from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import BadPosition, IllegalMove, NotYourTurn, UnreadableMove
from games.rules.core.basics.termination import BoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe
from games.rules.core.state.position import Outcome, Shuttle
from games.rules.core.text.notation import (
    board_text,
    read_annotated,
    read_move,
    read_position,
    read_setup,
    write_move,
    write_position,
    write_setup,
)
from tests.rules.shortcuts import play, rules_of

ENGLISH = rules_of("lattaque-en")
SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
NORTH = "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR"
OPENING = (
    "lfrcrrklk1/gbbjc1serb/elks1rrekr/mejsy1lsbr/2~~2~~2/2~~2~~2/"
    "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES S 0 0"
)


def test_the_opening_position_is_the_two_set_ups() -> None:
    position = begin(ENGLISH, None)
    for seat, text in zip(Seat, (SOUTH, NORTH), strict=True):
        setup = read_setup(ENGLISH, seat, text)
        assert write_setup(ENGLISH, setup) == text
        position, _ = advance(ENGLISH, position, seat, setup)
    assert write_position(ENGLISH, position) == OPENING


def test_each_side_sees_its_own_letters_and_question_marks() -> None:
    position = read_position(ENGLISH, OPENING)
    south = board_text(ENGLISH, observe(ENGLISH, position, Viewpoint.SOUTH))
    assert south == (
        "?????????1/?????1????/????1?????/?????1????/2~~2~~2/2~~2~~2/"
        "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
    )
    north = board_text(ENGLISH, observe(ENGLISH, position, Viewpoint.NORTH))
    assert north.startswith("lfrcrrklk1/gbbjc1serb/")
    assert north.endswith(("/??????????", "/????????"))
    gallery = board_text(ENGLISH, observe(ENGLISH, position, Viewpoint.GALLERY))
    assert set(gallery) <= set("?~/0123456789")
    opened = board_text(ENGLISH, observe(ENGLISH, position, Viewpoint.OPEN))
    assert opened == OPENING.split()[0]


def test_face_up_pieces_are_seen_by_all() -> None:
    rules = rules_of("lattaque-zh")
    position = read_position(rules, "k!9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/8K!J S 0 0")
    for viewpoint in (Viewpoint.SOUTH, Viewpoint.NORTH, Viewpoint.GALLERY):
        seen = observe(rules, position, viewpoint)
        assert seen.pieces["a10"].rank == "K"
        assert seen.pieces["i1"].marks == {"shown"}
    assert observe(rules, position, Viewpoint.NORTH).pieces["j1"].rank is None


HERE = "k9/10/10/10/2~~2~~2/2~~2~~2/s9/R9/10/9K S 0 0"


@pytest.mark.parametrize(
    "text",
    [
        "a3-b3",
        " a3-b3 ",
        "A3-B3",
        "a3 b3",
        "a3b3",
        "a3xb3",
        "a3 - b3",
        "a3->b3",
        "a3→b3",
        "a3\tb3\n",
        "a3-b3[RvM]-",
        "a3-b3 ~d6 ~e5!",
    ],
)
def test_variants_of_a_plain_move_are_read(text: str) -> None:
    move = read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.SOUTH, text)
    assert write_move(ENGLISH, move) == "a3-b3"


@pytest.mark.parametrize("text", ["a3xa4", "a3-a4", "a3a4", "A3 X A4", "a3xa4[RvS]-"])
def test_variants_of_an_attack_are_read(text: str) -> None:
    move = read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.SOUTH, text)
    assert write_move(ENGLISH, move) == "a3xa4"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a3",
        "hello",
        "a3-",
        "-a3",
        "a3-b3-c3",
        "*a3",
        "*a3,a3-b3",
        "a3-k3",
        "a3-a11",
        "a3-a0",
        "1-2",
        "a3-b3;drop",
        "a" * 10_000,
        "a3-b3" * 100,
        "a3  " * 60 + "!",
        "a3-x" * 60 + "!",
    ],
)
def test_other_texts_are_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.SOUTH, text)
    assert len(str(caught.value)) < 200


def test_a_square_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnreadableMove) as caught:
        read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.SOUTH, "a3-k3")
    assert str(caught.value) == "There is no square k3 on this board."


def test_a_forbidden_move_is_illegal_and_not_unreadable() -> None:
    with pytest.raises(IllegalMove):
        read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.SOUTH, "j1-j3")


def test_a_move_out_of_turn_is_refused() -> None:
    with pytest.raises(NotYourTurn) as caught:
        read_move(ENGLISH, read_position(ENGLISH, HERE), Seat.NORTH, "a10-a9")
    assert str(caught.value) == "It is the other side's turn."


def test_a_side_that_has_set_up_waits_for_the_other() -> None:
    position = begin(ENGLISH, None)
    setup = read_move(ENGLISH, position, Seat.SOUTH, SOUTH)
    position, _ = advance(ENGLISH, position, Seat.SOUTH, setup)
    text = write_position(ENGLISH, position)
    assert text == f"setup {SOUTH} -"
    assert read_position(ENGLISH, text) == position
    with pytest.raises(NotYourTurn):
        advance(ENGLISH, position, Seat.SOUTH, setup)


def test_an_annotated_move_is_parsed_without_a_position() -> None:
    rules = rules_of("tactique")
    charge = read_annotated(rules, "d2-d5xd6[CvV']+d ~d6 ~c5!")
    assert (charge.source, charge.via, charge.target) == ("d2", "d5", "d6")
    assert charge.battle == ("C", "V'")
    assert charge.result == "+d"
    assert charge.volley == (("d6", False), ("c5", True))
    assert charge.text == "d2-d5xd6"
    tile = read_annotated(rules_of("domino"), "d4xd5[52v64]+")
    assert (tile.battle, tile.result, tile.attack) == (("52", "64"), "+", True)
    walk = read_annotated(ENGLISH, "a4-a8")
    assert (walk.attack, walk.battle, walk.result, walk.via, walk.volley) == (
        False,
        None,
        None,
        None,
        (),
    )
    chain = read_annotated(rules_of("assaut"), "d5xd3xb5")
    assert chain.path == ("d5", "d3", "b5")
    assert chain.via is None
    huff = read_annotated(rules_of("assaut"), "*d6,c4-c5")
    assert (huff.huffed, huff.source, huff.target) == ("d6", "c4", "c5")
    last = read_annotated(rules_of("assaut"), "*d6")
    assert (last.huffed, last.source) == ("d6", None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "S 0 0",
        "10/10 S 0 0",
        HERE.replace(" S ", " O "),
        HERE.replace("R9", "R8"),
        HERE.replace("R9", "R9K"),
        HERE.replace("R9", "Q9"),
        HERE.replace("R9", "?9"),
        HERE.replace("2~~2~~2", "10"),
        HERE.replace("R9", "R~8"),
        HERE.replace("S 0 0", "S 0"),
        HERE.replace("S 0 0", "S -1 0"),
        HERE.replace("S 0 0", "S 0 1e9"),
        HERE.replace("S 0 0", "S 0 " + "9" * 30),
        HERE.replace("S 0 0", "S 0 ٣"),
        HERE + " nonsense",
        HERE + " shuttle=",
        HERE + " shuttle=a1/b1",
        HERE + " shuttle=a1a2:3",
        HERE + " shuttle=a2a1:3/-",
        HERE + " shuttle=a1z9:3/-",
        HERE + " over=",
        HERE + " over=X:flag_captured",
        "setup",
        "setup - x",
        f"setup {SOUTH} {SOUTH} extra",
        "k" * 5_000,
    ],
)
def test_an_unreadable_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition) as caught:
        read_position(ENGLISH, text)
    assert len(str(caught.value)) < 200


def test_a_finished_game_stays_finished_in_its_text() -> None:
    position = "10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 0 10"
    after = play(ENGLISH, position, "a3xa4")
    text = write_position(ENGLISH, after)
    assert text.endswith(" N 0 11 over=S:flag_captured")
    assert read_position(ENGLISH, text) == after
    assert after.outcome == Outcome(Seat.SOUTH, BoardTermination.FLAG_CAPTURED)


def test_missing_fields_have_their_initial_values() -> None:
    position = read_position(rules_of("tactique"), "8/8/8/8/8/8/8/C7 N 3 4")
    assert position.shuttles == BySeat(Shuttle(0, 0, 0), Shuttle(0, 0, 0))
    assert position.memory == ((), ())
    assert read_position(rules_of("assaut"), "~~3~~/~~3~~/7/7/7/~~3~~/~~o2~~ O 0 0").memory == (
        0,
        (),
    )
