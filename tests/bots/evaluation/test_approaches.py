"""Approaches: which targets attract which pieces, and what an enemy's approach says of its rank."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from games.bots.belief.tracked_units import Approach, TrackedUnits
from games.bots.evaluation.adjacent_exposure import AdjacentExposure
from games.bots.evaluation.move_values import MoveEvaluation
from games.bots.evaluation.piece_square_tables import ESCAPE, ESCAPE_OF_UNMOVED, PieceSquareTables
from games.bots.evaluation.situation import Situation
from games.bots.levels import MARSHAL
from games.bots.player import Player
from games.protocol.lines import Line
from games.protocol.reading import read_line
from games.protocol.writing import request_line
from games.rules.core.basics.moves import Walk
from games.rules.core.basics.pieces import Rank, Seat, piece
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.observation import observe, witness
from games.rules.core.text.notation import annotate, read_move, read_position, write_move
from games.rules.registry import ruleset

ATTAQUE = ruleset("lattaque-en")

# North's flag on j10 stands behind two bombs that South knows; the piece on a10 is the only other
# unknown one. The sergeant on j8 blocks the square from which the miner could attack.
SHIELDED = "?7b!?/9b!/9S/9E/2~~2~~2/2~~2~~2/10/10/10/FB8"


def line_at(board: str, *heard: tuple[str, str]) -> Line:
    """South's line in a late position, without its legal moves."""
    return {
        "ask": "move",
        "preset": ATTAQUE.key,
        "seat": "S",
        "phase": "play",
        "to_act": ["S"],
        "turn": "S",
        "ply": 300,
        "quiet": 0,
        "board": board,
        "fallen": {"S": [], "N": []},
        "heard": list(heard),
        "legal": [],
    }


def situation_of(*lines: Line) -> Situation:
    units = TrackedUnits(ATTAQUE, Seat.SOUTH)
    for line in map(read_line, lines):
        units.update(line.heard, line.observation)
    return Situation(units, read_line(lines[-1]).observation)


def own(rank: Rank) -> int:
    return piece(Seat.SOUTH, ATTAQUE.kinds[rank])


def cell(square: str) -> int:
    return ATTAQUE.board.index[square]


def walk(source: str, target: str) -> Walk:
    return Walk(cell(source), cell(target))


# --- the flag behind its bombs


def test_a_piece_behind_bombs_is_likelier_the_flag_than_one_in_the_open() -> None:
    chances: Mapping[str, Mapping[Rank, float]] = situation_of(line_at(SHIELDED)).belief.by_square()
    assert chances["j10"]["F"] > 5 * chances["a10"]["F"]


def test_a_bomb_before_the_flag_is_worth_attacking_for_a_piece_that_beats_it() -> None:
    situation = situation_of(line_at(SHIELDED))
    bomb = situation.units.at[cell("j9")]
    assert situation.attack_value(own("E"), bomb) > 50
    assert situation.attack_value(own("S"), bomb) < 0
    # Without a flag behind it, only its own value counts.
    alone = situation_of(line_at(SHIELDED.replace("b!?/9b!", "b!1/5?3b!")))
    assert situation.attack_value(own("E"), bomb) > 2 * alone.attack_value(own("E"), bomb)


def test_only_a_piece_that_can_open_the_way_goes_to_a_shielded_flag() -> None:
    squares = PieceSquareTables(situation_of(line_at(SHIELDED)))
    miner, sergeant = squares.table(own("E")), squares.table(own("S"))
    assert miner[cell("j8")] > miner[cell("j7")] > miner[cell("j6")] > 0
    assert sergeant[cell("j8")] < sergeant[cell("e9")] < sergeant[cell("a9")]


def test_a_piece_makes_room_for_a_more_useful_one() -> None:
    crowded = MoveEvaluation(situation_of(line_at(SHIELDED)))
    assert crowded.squares.best_neighbour_gain(cell("j8"), cell("j8")) > 1
    alone = MoveEvaluation(situation_of(line_at(SHIELDED.replace("9E", "10"))))
    makes_room, leaves = (
        evaluation.evaluate(walk("j8", "i8")).place for evaluation in (crowded, alone)
    )
    assert makes_room > leaves + 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_shielded_flag_is_captured_from_an_army_that_does_not_move(seed: int) -> None:
    shut_in = SHIELDED.replace("?7b!?", "k7b!f")
    position = read_position(ATTAQUE, f"{shut_in} S 0 300")
    player = Player(seed, MARSHAL)
    heard: list[tuple[str, str]] = []
    while position.ply < 340 and position.outcome is None:
        seat = position.turn
        seen = observe(ATTAQUE, position, Viewpoint.of_seat(seat))
        if seat is Seat.SOUTH:
            text, heard = player.answer(request_line(ATTAQUE, seen, seat, heard, 2.0)), []
        else:
            text = min(write_move(ATTAQUE, move) for move in seen.moves)
        move = read_move(ATTAQUE, position, seat, text or "")
        position, events = advance(ATTAQUE, position, seat, move)
        heard.append(
            (
                ATTAQUE.seat_letters[seat],
                annotate(ATTAQUE, move, witness(events, Viewpoint.GALLERY)),
            )
        )
    assert position.outcome
    assert position.outcome.reason == "flag captured"


# --- what a board shows


def test_a_mobile_piece_is_a_worse_target_than_an_immobile_one() -> None:
    board = SHIELDED.replace("/9E/", "/k!8E/")
    chances = PieceSquareTables(situation_of(line_at(board))).escape_chances
    assert chances[cell("a7")] == ESCAPE
    assert 0 < chances[cell("a10")] < ESCAPE_OF_UNMOVED
    assert chances[cell("j9")] == 0


def test_a_defended_piece_is_less_exposed() -> None:
    defended_board = SHIELDED.replace("/10/10/10/FB8", "/4c!5/4K5/4G5/FB8").replace("/9E/", "/10/")
    undefended_board = defended_board.replace("/4G5/", "/8G1/")
    defended, alone = (
        AdjacentExposure(situation_of(line_at(board))).before
        for board in (defended_board, undefended_board)
    )
    assert defended < alone


FULL = "/".join(["?" * 10] * 4 + ["2~~2~~2"] * 2 + ["RRRRRRRR2", "MGCCJJKK2", "KKLLLLSSSS"])
FULL += "/EEEEYBBBBF"
STRUCK = FULL.replace("/2~~2~~2/2~~2~~2/R", "/1?~~2~~2/2~~2~~2/1")
STRUCK = STRUCK.replace("?" * 10 + "/1?~~", "R1" + "?" * 8 + "/1?~~")


def test_an_approach_to_a_known_piece_and_a_retreat_are_noted() -> None:
    heard = (("S", "a4xa7[RvY]+"), ("N", "b7-b6"))
    units = situation_of(line_at(FULL), line_at(STRUCK, *heard)).units
    assert units.at[cell("b6")].approaches == ((own("R"), 1, 2),)
    assert units.at[cell("b8")].approaches == ()


@pytest.mark.parametrize(("before", "after"), [(5, 1), (1, 4)])
def test_a_piece_that_approaches_a_known_one_is_believed_to_beat_it(
    before: int, after: int
) -> None:
    situation = situation_of(line_at(SHIELDED))
    evidence, unit = situation.belief.evidence, situation.units.at[cell("a10")]

    def beats_the_general(*approaches: Approach) -> float:
        weights = evidence.weights(replace(unit, moved=True, approaches=approaches))
        by_rank = dict(zip(evidence.ranks, weights, strict=True))
        return by_rank["M"] / by_rank["S"]

    went = beats_the_general(Approach(own("G"), before, after))
    assert (went > 2 * beats_the_general()) is (after < before)
    assert (2 * went < beats_the_general()) is (after > before)
