"""Blindness: where two truths look alike from a seat, its lines and its answers are the same."""

from random import Random

import pytest

from games.bots.arena.lines import line_of
from games.bots.brains.belief import Belief
from games.bots.brains.habits import PLAIN
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.bots.lines import Line
from games.bots.player import Player, choose
from games.rules.core.engine import advance
from games.rules.core.imagine import imagine
from games.rules.core.notation import annotate, read_move
from games.rules.core.observation import observe, witness
from games.rules.core.position import Position
from games.rules.core.ruleset import Ruleset
from games.rules.core.viewpoint import Viewpoint
from games.rules.registry import presets
from games.rules.simulation import random_opening

pytestmark = pytest.mark.long

HIDDEN = [rules for rules in presets() if rules.hidden and not getattr(rules, "convert", False)]
PAIRS = 100


def another_truth(rules: Ruleset, truth: Position, player: Player, rng: Random) -> Position:
    """The same observation with the secrets of the other side dealt out anew."""
    seat = truth.turn
    units = getattr(player.brain, "units", None)
    assert units is not None
    drawn = Belief(units, PLAIN, truth.ply).world(rng)
    names, rank_of = rules.board.names, rules.rank_of
    ranks = {names[cell]: rank_of(content) for cell, content in drawn.items()}
    return imagine(rules, observe(rules, truth, Viewpoint.of(seat)), ranks, truth.shuttles)


@pytest.mark.rotated(5)
@pytest.mark.parametrize("part", range(10))
def test_permuted_secrets_change_no_line_and_no_answer(part: int) -> None:
    pairs = permuted = 0
    for number in range(PAIRS // 10):
        rules = HIDDEN[(part * 10 + number) % len(HIDDEN)]
        level = (RECRUIT, SERGEANT, MARSHAL)[number % 3]
        rng = Random(1_000 * part + number)
        truth = random_opening(rules, rng)
        players = [Player(number, level), Player(number, level)]
        heard: list[list[tuple[str, str]]] = [[], []]
        history: list[list[Line]] = [[], []]
        for _ in range(rng.randrange(4, 40)):
            seat = truth.turn
            seen = observe(rules, truth, Viewpoint.of(seat))
            history[seat].append(line_of(rules, seen, seat, heard[seat], 2.0))
            players[seat].hear(history[seat][-1])
            heard[seat] = []
            move = rng.choice(tuple(rules.legal_moves(truth, seat)))
            after, events = advance(rules, truth, seat, move)
            if after.outcome:
                break
            text = annotate(rules, move, witness(events, Viewpoint.GALLERY))
            for one in heard:
                one.append((rules.seat_letters[seat], text))
            truth = after
        seat = truth.turn
        line = line_of(rules, observe(rules, truth, Viewpoint.of(seat)), seat, heard[seat], 2.0)
        answer = players[seat].answer(line)
        twin = another_truth(rules, truth, players[seat], rng)
        told = line_of(rules, observe(rules, twin, Viewpoint.of(seat)), seat, heard[seat], 2.0)
        assert told == line
        assert choose([*history[seat], told], number, level) == answer
        assert read_move(rules, twin, seat, answer or "")
        pairs += 1
        permuted += twin.cells != truth.cells
    assert pairs == PAIRS // 10
    assert permuted >= pairs // 2
