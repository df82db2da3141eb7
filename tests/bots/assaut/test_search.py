"""Search of Assaut: forced wins in three and five plies are found; the bitboards obey the rules."""

from itertools import islice
from random import Random

import pytest

from games.bots.assaut import bitboard
from games.bots.assaut.search import Search
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import choose
from games.protocol.writing import request_line
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import read_move, read_position, write_move
from games.rules.registry import games, ruleset
from games.rules.simulation import random_opening
from tests import tiers
from tests.bots.assaut.forced_wins import node_of

# A preset, the plies in which the side to move wins by force, and the position.
WINS = [
    ("assaut", 3, "~~SoS~~/~~SS1~~/1S1SoSS/SSSSSS1/SSS1SSS/~~SSS~~/~~S2~~ S 11 60 0 -"),
    ("assaut", 5, "~~SoS~~/~~1So~~/1SSS1SS/SSSSSS1/SSS1SSS/~~SSS~~/~~S2~~ S 9 60 0 -"),
    ("assaut", 3, "~~1S1~~/~~1S1~~/2S1SS1/1S1SS2/o3o2/~~S2~~/~~3~~ O 1 60 15 -"),
    ("assaut", 5, "~~1S1~~/~~3~~/2SSSS1/1S1SS2/1So1o2/~~S2~~/~~3~~ O 3 60 14 -"),
    ("assaut-compulsory", 3, "~~S1S~~/~~ooS~~/1SSSS2/SSSS1SS/SSS1SSS/~~SSS~~/~~SS1~~ S 3 60 0 -"),
    ("assaut-compulsory", 5, "~~1oS~~/~~oSS~~/1SSSS2/SSSS1SS/SSS1SSS/~~SSS~~/~~SS1~~ S 1 60 0 -"),
    ("assaut-free", 3, "~~SoS~~/~~So1~~/S2SSS1/SSSSSSS/SS1SSSS/~~1SS~~/~~SS1~~ S 7 60 0 -"),
    ("assaut-free", 5, "~~SoS~~/~~2o~~/S1SSSS1/SSSSSSS/SS1SSSS/~~1SS~~/~~SS1~~ S 5 60 0 -"),
    ("assaut-noblock", 3, "~~1S1~~/~~SSS~~/2SS3/1o5/SS5/~~1oS~~/~~3~~ O 3 60 15 -"),
    ("assaut-noblock", 5, "~~1SS~~/~~SS1~~/2SS3/1o5/SS5/~~2S~~/~~o2~~ O 1 60 15 -"),
    # An officer that missed a capture is the last one: huffing it wins at once.
    ("assaut", 1, "~~3~~/~~1o1~~/2S4/1SSSS2/SSSSSSS/~~SSS~~/~~SSS~~ S 1 60 0 d6"),
]


def turns(rules: Ruleset, position: Position) -> list[tuple[Move, Position]]:
    """The legal turns and the positions after them, one turn for each position."""
    move_by_position: dict[Position, Move] = {}
    for move in islice(rules.legal_moves(position, position.turn), 2_000):
        after, _ = rules.apply(position, position.turn, move)
        move_by_position.setdefault(after, move)
    return [(move, after) for after, move in move_by_position.items()]


def wins(rules: Ruleset, position: Position, seat: Seat, plies: int) -> bool:
    """Whether a side wins by force within some plies, by the rules."""
    if position.outcome or plies <= 0:
        return position.outcome is not None and position.outcome.winner is seat
    after = (wins(rules, one, seat, plies - 1) for _, one in turns(rules, position))
    return any(after) if position.turn is seat else all(after)


def answer(rules: Ruleset, position: Position, seed: int, level: Level = MARSHAL) -> Position:
    """The position after a house opponent's answer."""
    seat = position.turn
    seen = observe(rules, position, Viewpoint.of_seat(seat))
    line = request_line(rules, seen, seat, [], 2.0)
    text = choose([line], seed, level)
    after, _ = rules.apply(position, seat, read_move(rules, position, seat, text))
    return after


@pytest.mark.parametrize(("preset", "plies", "text"), WINS)
def test_a_forced_win_is_found(preset: str, plies: int, text: str) -> None:
    rules = ruleset(preset)
    position = read_position(rules, text)
    seat = position.turn
    after = answer(rules, position, seed=1)
    assert wins(rules, after, seat, plies - 1)


# Positions in which the side to move wins by force in three plies, in most editions.
IN_THREE = [
    *(text for _, plies, text in WINS if plies == 3),
    "~~S2~~/~~S2~~/SSS4/1SS4/S1So3/~~S2~~/~~o2~~ O 3 77 14 -",
    "~~2S~~/~~SoS~~/oSS4/S2S3/SS5/~~S2~~/~~3~~ O 1 79 14 -",
    "~~SSS~~/~~SS1~~/2SSS1o/1o2SSS/3SSSS/~~2S~~/~~3~~ S 1 244 8 -",
    "~~SSS~~/~~S1S~~/o1SSSo1/SSSSSSS/SSSSSSS/~~3~~/~~3~~ S 3 86 2 -",
]
EDITIONS = [rules.key for rules in games["assaut"]]


def mirrored(text: str) -> str:
    """A position with left and right exchanged."""
    rows, _, rest = text.partition(" ")
    return "/".join(row[::-1] for row in rows.split("/")) + " " + rest


@pytest.mark.parametrize("preset", tiers.parameters(EDITIONS, fast=("assaut", "assaut-compulsory")))
def test_a_win_in_three_plies_is_always_found(preset: str) -> None:
    rules = ruleset(preset)
    won = 0
    for number, text in enumerate(one for known in IN_THREE for one in (known, mirrored(known))):
        position = read_position(rules, text)
        seat = position.turn
        if not wins(rules, position, seat, 3):
            continue  # This edition's rules leave a way out.
        won += 1
        for level in (SERGEANT, MARSHAL):
            after = answer(rules, position, number, level)
            assert wins(rules, after, seat, 2), (level.name, text)
    assert won >= 10


@pytest.mark.parametrize(
    "preset", ["assaut", "assaut-free", "assaut-german", "assaut-compulsory", "assaut-noblock"]
)
def test_the_bitboards_obey_the_rules_turn_by_turn(preset: str) -> None:
    rules = ruleset(preset)
    tables = bitboard.edition_tables(rules)
    rng = Random(5)
    for _ in range(4):
        position = random_opening(rules, rng)
        while position.outcome is None:
            moves = list(islice(rules.legal_moves(position, position.turn), 1_001))
            if len(moves) <= 1_000:
                successors = bitboard.successors(tables, node_of(position))
                after = {node_of(rules.apply(position, position.turn, move)[0]) for move in moves}
                assert after == {node for node, _ in successors}
                texts = {write_move(rules, move) for move in moves}
                assert {bitboard.text_of(turn) for _, turn in successors} <= texts
            position, _ = rules.apply(position, position.turn, rng.choice(moves))


def test_a_turn_with_only_a_bound_as_its_value_is_never_chosen() -> None:
    """With noise, a player chooses among turns near the best, whose values are exact."""
    rules = ruleset("assaut")
    tables = bitboard.edition_tables(rules)
    drawn = refuted = 0
    for seed in range(6):
        rng, position = Random(seed), random_opening(rules, Random(seed))
        for _ in range(12):
            position, _ = rules.apply(
                position,
                position.turn,
                rng.choice(list(islice(rules.legal_moves(position, position.turn), 60))),
            )
        node = node_of(position)
        moves = bitboard.successors(tables, node)
        _, _, every = Search(tables, 100_000).best(node, 3, moves, margin=50_000)
        _, value, near = Search(tables, 100_000).best(node, 3, moves, margin=120)
        assert near == {turn: one for turn, one in every.items() if one >= value - 120}
        drawn += len(near) > 1
        refuted += len(near) < len(moves)
    assert drawn
    assert refuted
