"""Tactique: volleys of archers, what they hit, and what is shown of them."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.state.events import Event, Volleyed
from games.rules.core.state.position import Position
from games.rules.core.text.notation import annotate, read_move, read_position, read_setup
from tests.rules.shortcuts import board, ending, happenings, play, rules_of

RULES = rules_of("tactique")
SOUTH = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
NORTH = "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"


def hits(events: tuple[Event, ...]) -> tuple[tuple[str, bool], ...]:
    return next((event.hits for event in events if isinstance(event, Volleyed)), ())


def set_up(key: str = "tactique", **options: object) -> tuple[Position, tuple[Event, ...]]:
    rules = rules_of(key, **options)  # type: ignore[arg-type]
    position = begin(rules, None)
    events: tuple[Event, ...] = ()
    for seat, text in zip(Seat, (SOUTH, NORTH), strict=True):
        position, happened = advance(rules, position, seat, read_setup(rules, seat, text))
        events += happened
    return position, events


def test_souths_archers_shoot_before_the_first_move() -> None:
    position, events = set_up()
    assert board(RULES, position).startswith("ipvavvap/fiiappip/iipw'cciv/p1i'a4/2VA3I/")
    assert hits(events) == (("d6", False), ("c5", False))
    assert (position.turn, position.quiet, position.ply) == (Seat.SOUTH, 0, 0)


def test_the_first_volley_can_be_switched_off() -> None:
    position, events = set_up(volley_first=False)
    assert hits(events) == ()
    assert "'" not in board(RULES, position)


def test_all_archers_shoot_before_the_first_move_in_the_variant() -> None:
    _, events = set_up("tactique-volley-all")
    assert hits(events) == (("d6", False), ("c5", False), ("c4", False), ("d3", False))


@pytest.mark.parametrize(
    ("square", "hit"),
    [
        ("d6", True),
        ("d2", True),
        ("b4", True),
        ("f4", True),
        ("c5", True),
        ("e5", True),
        ("c3", True),
        ("e3", True),
        ("d5", False),
        ("d3", False),
        ("c4", False),
        ("e4", False),
        ("d7", False),
        ("b6", False),
        ("f6", False),
        ("e6", False),
    ],
)
def test_an_archer_reaches_eight_squares(square: str, hit: bool) -> None:
    cells = {"d4": "a", "a8": "f", "h8": "p", "h1": "P", square: "C"}
    rows = []
    for number in range(8, 0, -1):
        text, run = "", 0
        for file in "abcdefgh":
            piece = cells.get(f"{file}{number}", "")
            if piece:
                text += (str(run) if run else "") + piece
                run = 0
            else:
                run += 1
        rows.append(text + (str(run) if run else ""))
    position = "/".join(rows) + " S 0 0"
    ((_, events),) = happenings(RULES, position, "h1-g1")
    assert hits(events) == (((square, False),) if hit else ())


def test_an_archer_at_the_edge_does_not_shoot_around_it() -> None:
    position = "f6p/8/8/7a/C7/C7/8/8 S 0 0"
    ((_, events),) = happenings(RULES, position, "a3-a2")
    assert hits(events) == ()


def test_a_volley_demotes_fresh_pieces_and_removes_demoted_ones_and_archers() -> None:
    ((after, events),) = happenings(RULES, "f6p/8/1C3A2/2P'5/3a4/2I2W'2/3V4/F6P S 7 0", "h1-h2")
    assert hits(events) == (("c5", True), ("c3", False), ("d2", False))
    assert board(RULES, after) == "f6p/8/1C3A2/8/3a4/2W'2W'2/3P'3P/F7"
    assert after.quiet == 0
    ((after, events),) = happenings(RULES, "f6p/8/8/8/3a1A2/7C/8/8 S 0 0", "h3-h2")
    assert hits(events) == (("f4", True),)


def test_a_piece_in_reach_of_two_archers_is_hit_twice() -> None:
    position = "f6p/8/8/3a4/8/1a1C4/8/F6P S 0 0"
    ((after, events),) = happenings(RULES, position, "h1-h2")
    assert hits(events) == (("d3", True),)
    assert observe(RULES, after, Viewpoint.SOUTH).fallen[Seat.SOUTH] == ("C",)
    assert observe(RULES, after, Viewpoint.NORTH).fallen[Seat.SOUTH] == (None,)
    assert observe(RULES, after, Viewpoint.GALLERY).fallen[Seat.SOUTH] == (None,)
    once = rules_of("tactique", multi_hit="once")
    ((after, events),) = happenings(once, position, "h1-h2")
    assert hits(events) == (("d3", False),)
    assert "V'" in board(once, after)


def test_archers_shoot_over_pieces_unless_the_option_forbids_it() -> None:
    position = "f6p/8/8/3a4/3p4/3C4/8/F6P S 0 0"
    ((_, events),) = happenings(RULES, position, "h1-h2")
    assert hits(events) == (("d3", False),)
    blocked = rules_of("tactique", archer_los=True)
    ((_, events),) = happenings(blocked, position, "h1-h2")
    assert hits(events) == ()
    ((_, events),) = happenings(blocked, position.replace("3p4", "8"), "h1-h2")
    assert hits(events) == (("d3", False),)
    ((_, events),) = happenings(blocked, "f6p/8/8/3a4/3pC3/8/8/F6P S 0 0", "h1-h2")
    assert hits(events) == (("e4", False),)


def test_a_flag_is_not_hit_without_the_option() -> None:
    position = "f6p/8/8/3a4/8/3F4/8/7P S 4 0"
    ((after, events),) = happenings(RULES, position, "h1-h2")
    assert hits(events) == ()
    assert (ending(after), after.quiet) == (None, 5)
    shot = rules_of("tactique", volley_flag=True)
    ((after, events),) = happenings(shot, position, "h1-h2")
    assert hits(events) == (("d3", True),)
    assert ending(after) == (Seat.NORTH, "flag shot")


def test_two_flags_shot_in_one_volley_are_a_draw() -> None:
    rules = rules_of("tactique-volley-all", volley_flag=True)
    position = "7p/8/8/3a1f2/8/3F1A2/8/7P S 4 0"
    assert ending(play(rules, position, "h1-h2")) == (None, "flag shot")


def test_the_volley_comes_after_the_action_and_the_moved_piece_is_shot() -> None:
    position = "f6p/8/8/3a4/8/8/3C4/F6P S 0 0"
    ((after, events),) = happenings(RULES, position, "d2-d3")
    assert hits(events) == (("d3", False),)
    ((after, events),) = happenings(RULES, after, "h8-h7")
    assert hits(events) == ()
    ((after, events),) = happenings(RULES, after, "h1-h2")
    assert hits(events) == (("d3", True),)
    assert board(RULES, after) == "f7/7p/8/3a4/8/8/7P/F7"


def test_a_captured_flag_ends_the_game_before_the_volley() -> None:
    position = "7p/8/8/3a4/8/3C4/8/fP5P S 0 0"
    ((after, events),) = happenings(RULES, position, "b1xa1")
    assert hits(events) == ()
    assert ending(after) == (Seat.SOUTH, "flag captured")


def test_a_volley_may_remove_the_last_mobile_piece() -> None:
    position = "f7/8/8/3a4/8/8/3W'4/F7 S 0 0"
    assert ending(play(RULES, position, "d2-d3")) == (Seat.NORTH, "no mobile piece left")


def test_a_volley_reveals_no_archer_and_no_rank() -> None:
    text_here = "f6p/8/8/3a4/8/1a1C4/8/F6P S 0 0"
    other = "f6p/8/8/3a4/8/1a1V4/8/F6P S 0 0"
    annotations = [
        witness(events, viewpoint)
        for text in (text_here, other)
        for ((_, events),) in [list(happenings(RULES, text, "h1-h2"))]
        for viewpoint in (Viewpoint.NORTH, Viewpoint.GALLERY)
    ]
    assert len(set(annotations)) == 1


def test_annotations_name_the_squares_hit() -> None:
    position = read_position(RULES, "f6p/8/8/2P'5/3a4/2I5/8/F6P S 7 0")
    move = read_move(RULES, position, Seat.SOUTH, "h1-h2")
    ((_, events),) = happenings(RULES, position, "h1-h2")
    assert annotate(RULES, move, witness(events, Viewpoint.SOUTH)) == "h1-h2 ~c5! ~c3"
