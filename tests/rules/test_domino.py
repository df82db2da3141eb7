"""Domino Stratego: the deal, the tiles, their battles and the end."""

import random
from collections import Counter
from itertools import product

import pytest

from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import BadSetup
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe
from games.rules.core.state.events import Clashed
from games.rules.core.text.notation import (
    board_text,
    read_position,
    read_setup,
    write_position,
    write_setup,
)
from games.rules.systems.domino import SET
from tests.rules.shortcuts import board, ending, happenings, legal, opened, play, rules_of

RULES = rules_of("domino")
SETUP = "4056104666025513/2244113533610041/6325125026453406"
TILES = ["".join(pips) for pips in product("0123456", repeat=2)]


def meeting(attacker: str, defender: str) -> str:
    """South's tile on d4 below North's on d5, with both 6-6 out of the way unless they fight."""
    south = "[66]" if attacker != "66" else "[11]"
    north = "<66>" if defender != "66" else "<11>"
    return f"{north}7/8/8/8/8/3<{defender}>4/3[{attacker}]4/8/8/7{south} S 5 20"


def expected(attacker: str, defender: str) -> str:
    if (attacker, defender) == ("00", "66"):
        return "+"
    if (attacker, defender) == ("66", "00"):
        return "-"
    difference = int(attacker[0]) - int(defender[1])
    return "+" if difference > 0 else "-" if difference < 0 else "="


@pytest.mark.parametrize("attacker", TILES)
def test_attack_meets_defence(attacker: str) -> None:
    for defender in TILES:
        result = expected(attacker, defender)
        ((after, events),) = happenings(RULES, meeting(attacker, defender), "d4xd5")
        gone = [
            attacker == "66" and result != "+",
            defender == "66" and result != "-",
        ]
        clash = events[0]
        assert isinstance(clash, Clashed)
        assert (clash.attacker, clash.defender) == (attacker, defender)
        assert clash.result == ("#" if any(gone) else result)
        if all(gone):
            assert ending(after) == (None, "both 6-6 destroyed")
        elif any(gone):
            winner = Seat.NORTH if gone[0] else Seat.SOUTH
            assert ending(after) == (winner, "6-6 destroyed")
        else:
            assert ending(after) is None
        middle = {"+": f"3[{attacker}]4", "-": f"3<{defender}>4", "=": "8"}[result]
        assert board(RULES, after).split("/")[5:7] == [middle, "8"]


def test_eight_tiles_can_beat_a_six_six() -> None:
    beating = {tile for tile in TILES if expected(tile, "66") != "-"}
    assert beating == {"00", "60", "61", "62", "63", "64", "65", "66"}


def test_the_winner_returns_where_the_edition_says_so() -> None:
    after = play(rules_of("domino-return"), meeting("50", "03"), "d4xd5")
    assert board(RULES, after).split("/")[5:7] == ["8", "3[50]4"]


def test_a_tile_moves_one_square_and_there_are_eight_first_moves() -> None:
    position = opened(RULES, 1)
    assert legal(RULES, position) == [f"{file}3-{file}4" for file in "abcdefgh"]


def test_every_tile_moves_the_six_six_and_the_double_blank_too() -> None:
    position = "<66>7/8/8/8/8/3<31>4/3[66]4/8/8/7[00] S 0 0"
    assert legal(RULES, position) == [
        "d4-c4",
        "d4-d3",
        "d4-e4",
        "d4xd5",
        "h1-g1",
        "h1-h2",
    ]


def test_both_doubles_are_always_dealt_and_four_tiles_are_set_aside() -> None:
    for seed in range(50):
        start = begin(RULES, random.Random(seed))
        for seat in Seat:
            hand, aside = RULES.hand(start, seat), RULES.deal.aside(start, seat)
            assert sorted((*hand, *aside)) == sorted(SET)
            assert len(aside) == 4
            assert {"00", "66"} <= set(hand)


def test_the_two_deals_are_independent_and_uniform() -> None:
    rng = random.Random(5)
    same = 0
    aside: Counter[str] = Counter()
    for _ in range(2_000):
        start = begin(RULES, rng)
        same += RULES.deal.aside(start, Seat.SOUTH) == RULES.deal.aside(start, Seat.NORTH)
        aside.update(RULES.deal.aside(start, Seat.SOUTH))
    assert same <= 5
    assert len(aside) == 26
    assert all(220 < times < 400 for times in aside.values())


def test_only_the_owner_sees_the_hand_and_the_tiles_set_aside() -> None:
    start = begin(RULES, random.Random(1))
    south = observe(RULES, start, Viewpoint.SOUTH)
    assert south.hand == BySeat(RULES.hand(start, Seat.SOUTH), None)
    assert south.aside == BySeat(RULES.deal.aside(start, Seat.SOUTH), None)
    later = observe(RULES, opened(RULES, 1), Viewpoint.NORTH)
    assert later.aside[Seat.SOUTH] is None
    assert len(later.aside[Seat.NORTH] or ()) == 4


def test_a_set_up_takes_exactly_the_dealt_tiles() -> None:
    start = begin(RULES, random.Random(1))
    setup = RULES.random_setup(Seat.SOUTH, random.Random(2), start)
    text = write_setup(RULES, setup)
    missing = RULES.deal.aside(start, Seat.SOUTH)[0]
    placed = text.replace("/", "")[:2]
    spoilt = text.replace(placed, missing, 1)
    sentences = [str(fault) for fault in RULES.check_setup(Seat.SOUTH, spoilt, start)]
    low, high = sorted(placed)
    assert f"The tile {missing[0]}-{missing[1]} was not dealt to you." in sentences
    assert f"Left to place: {low}-{high}." in sentences
    with pytest.raises(BadSetup):
        advance(RULES, start, Seat.SOUTH, read_setup(RULES, Seat.SOUTH, spoilt))


def test_without_a_deal_the_set_up_shows_the_dealt_tiles() -> None:
    start = begin(RULES, None)
    after, _ = advance(RULES, start, Seat.SOUTH, read_setup(RULES, Seat.SOUTH, SETUP))
    assert RULES.deal.aside(after, Seat.SOUTH) == ("03", "15", "23", "24")
    twice = "56" + SETUP[2:]
    assert [str(fault) for fault in RULES.check_setup(Seat.SOUTH, twice)] == [
        "The tile 5-6 is on the board more than once."
    ]
    headless = SETUP.replace("4666", "4623")
    assert [str(fault) for fault in RULES.check_setup(Seat.SOUTH, headless)] == [
        "The tile 6-6 must be in every army."
    ]
    unfinished = "--" + SETUP[2:]
    assert [str(fault) for fault in RULES.check_setup(Seat.SOUTH, unfinished)] == [
        "Every square of the rows must hold a tile."
    ]


def test_a_tile_may_be_turned_either_way() -> None:
    turned = "04" + SETUP[2:]
    setup = read_setup(RULES, Seat.NORTH, turned)
    assert write_setup(RULES, setup) == turned


def test_digits_mean_attack_and_defence_for_both_sides() -> None:
    rules = RULES
    position = begin(rules, None)
    for seat in Seat:
        position, _ = advance(rules, position, seat, read_setup(rules, seat, SETUP))
    rows = board(rules, position).split("/")
    assert rows[0] == "<40><56><10><46><66><02><55><13>"
    assert rows[7] == "[40][56][10][46][66][02][55][13]"
    text = write_position(rules, position)
    assert text.endswith(" S 0 0 aside=03152324/03152324")
    assert read_position(rules, text) == position


def test_tiles_are_hidden_again_after_the_battle_and_fallen_ones_are_known() -> None:
    position = read_position(
        RULES, "<66>7/8/8/8/8/3<31>4/3[52]4/8/8/7[66] S 0 0 aside=03152324/01020304"
    )
    after = play(RULES, position, "d4xd5")
    north = observe(RULES, after, Viewpoint.NORTH)
    assert north.pieces["d5"].rank is None
    assert "13" in north.fallen[Seat.NORTH]
    assert board_text(RULES, north).split("/")[5] == "3[??]4"


def test_a_made_up_position_may_leave_the_deal_undecided() -> None:
    position = read_position(RULES, meeting("12", "34"))
    assert RULES.fallen(position, Seat.SOUTH) == ()
    assert RULES.deal.aside(position, Seat.NORTH) == ()
