"""Tactique: walks, attacks, charges and battles."""

from itertools import product

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import AmbiguousMove, IllegalMove
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe, witness
from games.rules.core.state.events import Clashed, Converted, Walked
from games.rules.core.text.notation import (
    annotate,
    board_text,
    read_move,
    read_position,
    write_move,
    write_position,
)
from tests.rules.shortcuts import board, ending, happenings, legal_from, play, rules_of

LONG = rules_of("tactique")
STRENGTH = {"C": 5, "V": 4, "P": 3, "I": 2, "V'": 4, "P'": 3, "I'": 2, "W'": 1}
LOWER = {"C": "V'", "V": "P'", "P": "I'", "I": "W'"}
ATTACKERS = list(STRENGTH)
DEFENDERS = [*STRENGTH, "A", "F"]


def meeting(attacker: str, defender: str) -> str:
    """South's attacker on d4, North's defender on d5, no archer in reach of anything else."""
    return f"p7/8/8/3{defender.lower()}4/3{attacker}4/8/8/7P S 5 20"


def outcome(attacker: str, defender: str, takes_archer: bool = True) -> tuple[str, str, str]:
    """The sign, and what stands on d5 and d4 afterwards, by the table of battles."""
    ranks, theirs = attacker, defender.lower()
    if defender == "F":
        return "#", ranks, ""
    if defender == "A" and (attacker != "W'" or takes_archer):
        return "+", ranks, ""
    one, other = STRENGTH[attacker], STRENGTH.get(defender, 1)
    if one == other:
        return "=", "", ""
    if one > other:
        lower = LOWER.get(defender)
        return ("+d", lower.lower(), ranks) if lower else ("+", ranks, "")
    lower = LOWER.get(attacker)
    return ("-d", theirs, lower) if lower else ("-", theirs, "")


def row(piece: str) -> str:
    return f"3{piece}4" if piece else "8"


@pytest.mark.parametrize(("attacker", "defender"), list(product(ATTACKERS, DEFENDERS)))
def test_the_battle_table_holds(attacker: str, defender: str) -> None:
    sign, above, below = outcome(attacker, defender)
    ((after, events),) = happenings(LONG, meeting(attacker, defender), "d4xd5")
    clash = events[0]
    assert isinstance(clash, Clashed)
    assert (clash.attacker, clash.defender, clash.result) == (attacker, defender, sign)
    assert board(LONG, after).split("/")[3:5] == [row(above), row(below)]
    assert ending(after) == ((Seat.SOUTH, "flag captured") if sign == "#" else None)
    assert after.quiet == 0


def test_a_spent_piece_and_an_archer_are_both_removed_with_the_option() -> None:
    rules = rules_of("tactique", d1_takes_archer=False)
    after = play(rules, meeting("W'", "A"), "d4xd5")
    assert board(rules, after) == "p7/8/8/8/8/8/8/7P"
    after = play(rules, meeting("I", "A"), "d4xd5")
    assert board(rules, after).split("/")[3] == "3I4"


def test_the_demoted_change_sides_in_the_variant() -> None:
    rules = rules_of("tactique-convert")
    ((after, events),) = happenings(rules, meeting("C", "V"), "d4xd5")
    assert board(rules, after).split("/")[3:5] == ["3P'4", "3C4"]
    assert Converted(Seat.SOUTH, "d5") in events
    ((after, events),) = happenings(rules, meeting("P", "V"), "d4xd5")
    assert board(rules, after).split("/")[3:5] == ["3v4", "3i'4"]
    assert Converted(Seat.NORTH, "d4") in events


def test_a_volley_never_converts() -> None:
    rules = rules_of("tactique-convert")
    after = play(rules, "p7/8/8/3a4/8/8/8/C6P S 0 0", "a1-d1", "a8-a7", "d1-d3")
    assert "V'" in board(rules, after)


def test_the_demoted_mark_is_public_and_the_rank_is_not() -> None:
    after = play(LONG, meeting("C", "V"), "d4xd5")
    south = observe(LONG, after, Viewpoint.SOUTH)
    assert south.pieces["d5"].rank is None
    assert south.pieces["d5"].marks == {"demoted"}
    assert board_text(LONG, south).split("/")[3:5] == ["3?'4", "3C4"]
    gallery = board_text(LONG, observe(LONG, after, Viewpoint.GALLERY))
    assert gallery == "?7/8/8/3?'4/3?4/8/8/7?"


def test_a_piece_moves_any_distance_and_attacks_adjacent_pieces() -> None:
    position = "p7/8/8/3p4/8/8/1C6/7P S 0 0"
    assert legal_from(LONG, position, "b2") == [
        "b2-a2",
        "b2-b1",
        "b2-b3",
        "b2-b4",
        "b2-b5",
        "b2-b6",
        "b2-b7",
        "b2-b8",
        "b2-b8xa8",
        "b2-c2",
        "b2-d2",
        "b2-e2",
        "b2-f2",
        "b2-g2",
        "b2-h2",
    ]
    assert "b2-d2" in legal_from(LONG, position, "b2")


def test_a_charge_may_turn_the_corner() -> None:
    position = "p7/8/2p5/3p4/8/8/3C4/7P S 0 0"
    moves = legal_from(LONG, position, "d2")
    assert "d2-d4xd5" in moves
    position = "p7/8/8/2pP4/8/8/1C6/7P S 0 0"
    moves = legal_from(LONG, position, "b2")
    assert "b2-b5xc5" in moves
    straight = legal_from(rules_of("tactique-straight"), position, "b2")
    assert "b2-b5xc5" not in straight
    position = "p7/8/8/3p4/8/8/3C4/7P S 0 0"
    assert "d2-d4xd5" in legal_from(rules_of("tactique-straight"), position, "d2")


def test_in_the_straight_edition_an_attack_on_an_adjacent_piece_is_no_charge() -> None:
    position = "p7/8/8/2pCp3/8/8/8/7P S 0 0"
    moves = legal_from(rules_of("tactique-straight"), position, "d5")
    assert {"d5xc5", "d5xe5"} <= set(moves)


def test_in_the_step_edition_a_piece_moves_one_square_and_then_may_charge() -> None:
    rules = rules_of("tactique-step")
    position = "p7/8/8/3p4/8/3C4/8/7P S 0 0"
    assert legal_from(rules, position, "d3") == [
        "d3-c3",
        "d3-d2",
        "d3-d4",
        "d3-d4xd5",
        "d3-e3",
    ]


def test_archers_move_and_never_attack_and_the_flag_stays() -> None:
    position = "p7/8/8/3p4/3A4/8/8/F6P S 0 0"
    assert all("x" not in move for move in legal_from(LONG, position, "d4"))
    assert "d4-d1" in legal_from(LONG, position, "d4")
    assert legal_from(LONG, position, "a1") == []


def test_a_charge_shows_both_parts() -> None:
    position = read_position(LONG, "p7/8/8/8/3v4/8/8/3C3P S 0 0")
    move = read_move(LONG, position, Seat.SOUTH, "d1-d3xd4")
    ((after, events),) = happenings(LONG, position, "d1-d3xd4")
    assert events[0] == Walked(Seat.SOUTH, "d1", "d3")
    assert annotate(LONG, move, witness(events, Viewpoint.GALLERY)) == "d1-d3xd4[CvV]+d"
    assert board(LONG, after) == "p7/8/8/8/3p'4/3C4/8/7P"


def test_a_charge_without_its_middle_square_is_read_if_only_one_fits() -> None:
    position = read_position(LONG, "p7/8/8/3p4/8/8/3C4/7P S 0 0")
    assert write_move(LONG, read_move(LONG, position, Seat.SOUTH, "d2xd5")) == "d2-d4xd5"
    position = read_position(LONG, "p7/8/8/3p4/8/8/2C5/7P S 0 0")
    assert write_move(LONG, read_move(LONG, position, Seat.SOUTH, "c2d5")) == "c2-c5xd5"
    position = read_position(LONG, "p7/8/8/8/8/3p4/2C5/7P S 0 0")
    with pytest.raises(AmbiguousMove) as caught:
        read_move(LONG, position, Seat.SOUTH, "c2xd3")
    assert str(caught.value) == (
        "“c2xd3” could mean c2-c3xd3, c2-d2xd3; please write one of these."
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a4xa5", "The Archer on a4 cannot attack; archers shoot automatically before your turn."),
        (
            "a4-b4xb5",
            "The Archer on a4 cannot attack; archers shoot automatically before your turn.",
        ),
        ("h1-h2", "The Flag on h1 cannot move."),
        ("d2-e3", "Pieces move straight along a row or a file, and e3 is not in line with d2."),
        ("d2-d7", "No piece can jump: between d2 and d7 the square d5 is not empty."),
        ("d2-d5xd6", "A charge leads to an empty square first, and d5 is not empty."),
        ("d2-d3xd4", "A charge ends with an attack, and there is no enemy on d4."),
        ("d2-d3xd5", "A charge strikes a neighbour of its last square, and d5 is not beside d3."),
        ("d2-e3xd5", "Pieces move straight along a row or a file, and e3 is not in line with d2."),
        ("d2-g2", "There is already a piece of yours on g2."),
    ],
)
def test_a_refusal_names_the_reason(text: str, words: str) -> None:
    position = read_position(LONG, "p7/8/8/p2p4/A7/8/3C2P1/7F S 0 0")
    with pytest.raises(IllegalMove) as caught:
        read_move(LONG, position, Seat.SOUTH, text)
    assert str(caught.value) == words


def test_the_step_and_the_straight_edition_explain_their_refusals() -> None:
    position = "p7/8/8/2pP4/8/8/1C6/7P S 0 0"
    rules = rules_of("tactique-step")
    with pytest.raises(IllegalMove) as caught:
        read_move(rules, read_position(rules, position), Seat.SOUTH, "b2-b5")
    assert str(caught.value) == (
        "In this edition a piece moves one square, and b5 is farther from b2."
    )
    rules = rules_of("tactique-straight")
    with pytest.raises(IllegalMove) as caught:
        read_move(rules, read_position(rules, position), Seat.SOUTH, "b2-b5xc5")
    assert str(caught.value) == (
        "In this edition a charge strikes straight on, and c5 does not lie straight on from b5."
    )


def test_losses_are_kept_in_the_text_and_shown_where_they_were_seen() -> None:
    position = read_position(LONG, "f6i/8/8/3v'4/3C4/8/8/F6P S 0 0")
    after = play(LONG, position, "d4xd5")
    assert write_position(LONG, after) == "f6i/8/8/3C4/8/8/8/F6P N 0 1 lost=-/V'"
    assert observe(LONG, after, Viewpoint.SOUTH).fallen[Seat.NORTH] == ("V'",)
