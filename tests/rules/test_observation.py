"""Observations: what viewpoints see beyond the ranks: notes, lost pieces, phases."""

import copy
import pickle

import pytest

from games.rules.core.basics.moves import Walk
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import IllegalMove, NotYourTurn
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.state.events import Deployed, Event, Walked
from games.rules.core.state.position import Phase
from games.rules.core.text.notation import read_position, read_setup
from tests.rules.shortcuts import opened, play, rules_of

ENGLISH = rules_of("lattaque-en")
SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"


def test_an_event_without_viewers_is_invisible() -> None:
    class Whispered(Event):
        pass

    for viewpoint in Viewpoint:
        assert witness([Whispered(), Deployed(Seat.SOUTH)], viewpoint) == (Deployed(Seat.SOUTH),)


def test_a_set_up_is_announced_without_its_content() -> None:
    start = begin(ENGLISH, None)
    _, events = advance(ENGLISH, start, Seat.SOUTH, read_setup(ENGLISH, Seat.SOUTH, SOUTH))
    assert witness(events, Viewpoint.NORTH) == (Deployed(Seat.SOUTH),)


def test_a_walk_shows_its_two_squares() -> None:
    position = read_position(ENGLISH, "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 0 0")
    index = ENGLISH.board.index
    _, events = advance(ENGLISH, position, Seat.SOUTH, Walk(index["j1"], index["j2"]))
    assert witness(events, Viewpoint.GALLERY) == (Walked(Seat.SOUTH, "j1", "j2"),)


def test_before_the_set_ups_nothing_can_be_moved_and_both_may_act() -> None:
    start = begin(ENGLISH, None)
    assert (start.phase, start.to_act) == (Phase.SETUP, (Seat.SOUTH, Seat.NORTH))
    with pytest.raises(IllegalMove) as caught:
        advance(ENGLISH, start, Seat.NORTH, Walk(0, 1))
    assert str(caught.value) == "Set up your pieces first; the moves come after that."
    seen = observe(ENGLISH, start, Viewpoint.SOUTH)
    assert len(seen.hand[Seat.SOUTH] or ()) == 36
    assert seen.hand[Seat.NORTH] is None
    assert seen.fallen == BySeat((), ())


def test_the_fallen_of_lattaque_are_known_to_all() -> None:
    after = play(ENGLISH, opened(ENGLISH, 1))
    assert observe(ENGLISH, after, Viewpoint.GALLERY).fallen == BySeat((), ())
    position = read_position(ENGLISH, "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 0 0")
    fallen = observe(ENGLISH, position, Viewpoint.GALLERY).fallen[Seat.NORTH]
    assert len(fallen) == 35
    assert fallen.count("K") == 3


def test_only_the_side_to_move_sees_its_moves() -> None:
    position = opened(ENGLISH, 1)
    assert observe(ENGLISH, position, Viewpoint.SOUTH).moves
    for viewpoint in (Viewpoint.NORTH, Viewpoint.GALLERY, Viewpoint.OPEN):
        assert observe(ENGLISH, position, viewpoint).moves == ()


def test_a_position_with_too_many_chains_lists_no_moves() -> None:
    rules = rules_of("assaut")
    crowded = "~~1S1~~/~~S1S~~/1S1S1S1/S1S1S1S/1S1S1S1/~~SoS~~/~~1S1~~ O 0 9 0 -"
    position = read_position(rules, crowded)
    seen = observe(rules, position, Viewpoint.NORTH)
    listed = sum(1 for _ in rules.legal_moves(position, Seat.NORTH))
    assert len(seen.moves) == (listed if listed <= 2_000 else 0)


def test_notes_warn_of_an_imminent_draw() -> None:
    position = "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S {} 0"
    calm = observe(ENGLISH, read_position(ENGLISH, position.format(99)), Viewpoint.SOUTH)
    assert calm.notes == ()
    late = observe(ENGLISH, read_position(ENGLISH, position.format(180)), Viewpoint.SOUTH)
    assert [str(note) for note in late.notes] == [
        "180 turns have passed without a battle; after 200 the game is a draw."
    ]


def test_notes_show_assauts_captures_and_offenders() -> None:
    rules = rules_of("assaut")
    position = read_position(rules, "~~o2~~/~~3~~/3o3/3S3/2S4/~~3~~/~~3~~ S 7 10 3 c7,d5")
    assert [str(note) for note in observe(rules, position, Viewpoint.GALLERY).notes] == [
        "Captured soldiers: 3 of the 16 that decide the game.",
        "Points of the fortress held by soldiers: 0 of 9.",
        "The officer on d5 has missed a capture: the soldiers may huff (remove) it now.",
        "The officer on c7 has missed a capture: the soldiers may huff (remove) it now.",
    ]
    assert observe(rules, position, Viewpoint.SOUTH).fallen[Seat.SOUTH] == ("S",) * 3


def test_in_a_finished_game_no_side_is_to_act() -> None:
    after = play(ENGLISH, "10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 0 10", "a3xa4")
    assert observe(ENGLISH, after, Viewpoint.SOUTH).to_act == ()
    with pytest.raises(NotYourTurn) as caught:
        advance(ENGLISH, after, Seat.NORTH, Walk(0, 1))
    assert str(caught.value) == "The game is over; nothing more can be played."


def test_positions_compare_without_their_cached_moves() -> None:
    position = read_position(ENGLISH, "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 0 0")
    assert position == position._replace(listed=())
    assert position != position._replace(ply=1)
    assert hash(position) == hash(position._replace(listed=()))
    assert position != tuple(position)


def test_values_can_be_copied_and_pickled() -> None:
    for seed, key in enumerate(("lattaque-en", "domino", "tactique", "assaut")):
        position = opened(rules_of(key), seed)
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position
        assert pickle.loads(pickle.dumps(BySeat(1, 2))) == BySeat(1, 2)
