"""Approach: who goes for what, who makes room, and what an enemy tells by coming nearer."""

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

# North's flag on j10 is shut in by two bombs that South knows of; a10 is the only other piece it
# does not know. The sergeant on j8 stands where the miner behind it wants to strike from.
SHUT_IN = "?7b!?/9b!/9S/9E/2~~2~~2/2~~2~~2/10/10/10/FB8"


def told(board: str, *heard: tuple[str, str]) -> Line:
    """What South is told in a late position; its own legal moves are left out."""
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


def test_a_piece_that_bombs_shut_in_is_the_flag_rather_than_one_that_stands_open() -> None:
    chances: Mapping[str, Mapping[Rank, float]] = situation_of(told(SHUT_IN)).belief.by_square()
    assert chances["j10"]["F"] > 5 * chances["a10"]["F"]


def test_a_bomb_before_the_flag_is_worth_striking_for_whoever_beats_it() -> None:
    situation = situation_of(told(SHUT_IN))
    bomb = situation.units.at[cell("j9")]
    assert situation.attack_value(own("E"), bomb) > 50
    assert situation.attack_value(own("S"), bomb) < 0
    # Without a flag behind it, it is worth no more than what it is.
    alone = situation_of(told(SHUT_IN.replace("b!?/9b!", "b!1/5?3b!")))
    assert situation.attack_value(own("E"), bomb) > 2 * alone.attack_value(own("E"), bomb)


def test_only_who_can_open_the_way_goes_to_a_flag_that_is_shut_in() -> None:
    fields = PieceSquareTables(situation_of(told(SHUT_IN)))
    miner, sergeant = fields.table(own("E")), fields.table(own("S"))
    assert miner[cell("j8")] > miner[cell("j7")] > miner[cell("j6")] > 0
    assert sergeant[cell("j8")] < sergeant[cell("e9")] < sergeant[cell("a9")]


def test_a_piece_makes_room_for_the_one_that_can_do_something_there() -> None:
    oneply = MoveEvaluation(situation_of(told(SHUT_IN)))
    assert oneply.squares.best_neighbour_gain(cell("j8"), cell("j8")) > 1
    alone = MoveEvaluation(situation_of(told(SHUT_IN.replace("9E", "10"))))
    makes_room, leaves = (one.evaluate(walk("j8", "i8")).place for one in (oneply, alone))
    assert makes_room > leaves + 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_flag_that_is_shut_in_is_taken_from_an_army_that_stands_still(seed: int) -> None:
    shut_in = SHUT_IN.replace("?7b!?", "k7b!f")
    position = read_position(ATTAQUE, f"{shut_in} S 0 300")
    player = Player(seed, MARSHAL)
    heard: list[tuple[str, str]] = []
    while position.ply < 340 and position.outcome is None:
        seat = position.turn
        seen = observe(ATTAQUE, position, Viewpoint.of(seat))
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


# --- what a board tells


def test_a_piece_that_may_walk_away_is_a_worse_goal_than_one_that_stays() -> None:
    board = SHUT_IN.replace("/9E/", "/k!8E/")
    flights = PieceSquareTables(situation_of(told(board))).escape_chances
    assert flights[cell("a7")] == ESCAPE
    assert 0 < flights[cell("a10")] < ESCAPE_OF_UNMOVED
    assert flights[cell("j9")] == 0


def test_a_piece_that_would_be_avenged_has_less_to_fear() -> None:
    beside = SHUT_IN.replace("/10/10/10/FB8", "/4c!5/4K5/4G5/FB8").replace("/9E/", "/10/")
    away = beside.replace("/4G5/", "/8G1/")
    covered, bare = (AdjacentExposure(situation_of(told(board))).before for board in (beside, away))
    assert covered < bare


FULL = "/".join(["?" * 10] * 4 + ["2~~2~~2"] * 2 + ["RRRRRRRR2", "MGCCJJKK2", "KKLLLLSSSS"])
FULL += "/EEEEYBBBBF"
STRUCK = FULL.replace("/2~~2~~2/2~~2~~2/R", "/1?~~2~~2/2~~2~~2/1")
STRUCK = STRUCK.replace("?" * 10 + "/1?~~", "R1" + "?" * 8 + "/1?~~")


def test_a_step_to_or_from_a_known_piece_is_noted() -> None:
    heard = (("S", "a4xa7[RvY]+"), ("N", "b7-b6"))
    units = situation_of(told(FULL), told(STRUCK, *heard)).units
    assert units.at[cell("b6")].approaches == ((own("R"), 1, 2),)
    assert units.at[cell("b8")].approaches == ()


@pytest.mark.parametrize(("before", "after"), [(5, 1), (1, 4)])
def test_who_goes_up_to_a_known_piece_is_thought_to_beat_it(before: int, after: int) -> None:
    situation = situation_of(told(SHUT_IN))
    evidence, unit = situation.belief.evidence, situation.units.at[cell("a10")]

    def beats_the_general(*approaches: Approach) -> float:
        weights = evidence.weights(replace(unit, moved=True, approaches=approaches))
        by_rank = dict(zip(evidence.ranks, weights, strict=True))
        return by_rank["M"] / by_rank["S"]

    went = beats_the_general(Approach(own("G"), before, after))
    assert (went > 2 * beats_the_general()) is (after < before)
    assert (2 * went < beats_the_general()) is (after > before)
