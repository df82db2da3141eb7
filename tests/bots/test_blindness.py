"""Blindness: if two positions look alike to a seat, its lines and answers are the same.

So is the number of nodes it examines, so the time of an answer reveals nothing either.
"""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import NamedTuple

import pytest

from games.bots.belief.rank_belief import RankBelief
from games.bots.heuristics.base import DEFAULTS
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT, Level
from games.bots.player import Player
from games.bots.search.hidden_ranks_brain import HiddenRanksBrain
from games.protocol.lines import Line
from games.protocol.writing import request_line
from games.rules.core.basics.moves import Attack, Charge, Move
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.imagined_positions import imagine
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Converted, Event
from games.rules.core.state.position import Position
from games.rules.core.text.notation import annotate, read_move
from games.rules.registry import editions, ruleset
from games.rules.simulation import random_opening
from tests import tiers

pytestmark = pytest.mark.long

HIDDEN = [rules for rules in editions() if rules.hidden]
LEVELS = (RECRUIT, SERGEANT, MARSHAL)
CONVERTING = ("tactique-convert", "tactique-step-convert")
PAIRS = 100
BATTLES = 0.7  # how often a battle is chosen where pieces are to change sides
MANY_PLIES = 300


def another_position(rules: Ruleset, truth: Position, player: Player, rng: Random) -> Position:
    """Another position with the same observation: the enemy's secrets are dealt again."""
    seat = truth.turn
    units = getattr(player.brain, "units", None)
    assert units is not None
    drawn = RankBelief(units, DEFAULTS, truth.ply).sample(rng)
    names, rank_of = rules.board.names, rules.rank_of
    ranks = {names[cell]: rank_of(content) for cell, content in drawn.items()}
    return imagine(rules, observe(rules, truth, Viewpoint.of_seat(seat)), ranks, truth.shuttles)


class Played(NamedTuple):
    """A match up to a seat's turn."""

    rules: Ruleset
    truth: Position
    lines: list[Line]
    heard: list[tuple[str, str]]  # since the line before the newest
    player: Player  # has got all lines but the newest
    events: list[Event]

    def line(self, truth: Position) -> Line:
        """The newest line, if this were the position."""
        seat = self.truth.turn
        seen = observe(self.rules, truth, Viewpoint.of_seat(seat))
        return request_line(self.rules, seen, seat, self.heard, 2.0)


def play(
    rules: Ruleset,
    seed: int,
    level: Level,
    rng: Random,
    choose: Callable[[tuple[Move, ...]], Move],
    is_enough: Callable[[list[Event], int], bool],
) -> Played | None:
    """Play until `is_enough`; None if the match ends before."""
    truth = random_opening(rules, rng)
    players = [Player(seed, level), Player(seed, level)]
    heard: list[list[tuple[str, str]]] = [[], []]
    lines: list[list[Line]] = [[], []]
    happened: list[Event] = []
    for ply in range(MANY_PLIES):
        seat = truth.turn
        seen = observe(rules, truth, Viewpoint.of_seat(seat))
        line = request_line(rules, seen, seat, heard[seat], 2.0)
        if is_enough(happened, ply):
            return Played(rules, truth, [*lines[seat], line], heard[seat], players[seat], happened)
        lines[seat].append(line)
        players[seat].update(line)
        heard[seat] = []
        move = choose(tuple(rules.legal_moves(truth, seat)))
        truth, events = advance(rules, truth, seat, move)
        if truth.outcome:
            return None
        happened += events
        text = annotate(rules, move, witness(events, Viewpoint.GALLERY))
        for one in heard:
            one.append((rules.seat_letters[seat], text))
    return None


def plays_alike(match: Played, seed: int, level: Level, rng: Random) -> bool:
    """Whether the secrets can differ; checks that the seat gets and does the same."""
    truth, player = match.truth, match.player
    answer = player.answer(match.lines[-1])
    twin = another_position(match.rules, truth, player, rng)
    line = match.line(twin)
    assert line == match.lines[-1]
    other = Player(seed, level)
    for earlier in match.lines[:-1]:
        other.update(earlier)
    assert other.answer(line) == answer
    assert other.nodes == player.nodes
    assert player.nodes or not line["legal"] or len(line["legal"]) == 1
    assert read_move(match.rules, twin, truth.turn, answer or "")
    return twin.cells != truth.cells


@pytest.mark.parametrize("part", tiers.parameters(range(10), fast=(0,)))
def test_hidden_ranks_change_no_line_no_answer_and_no_count(part: int) -> None:
    pairs = different = 0
    for number in range(PAIRS // 10):
        rules = HIDDEN[(part * 10 + number) % len(HIDDEN)]
        level = LEVELS[number % 3]
        rng = Random(1_000 * part + number)
        plies = rng.randrange(4, 40)
        match = None
        while match is None:
            match = play(rules, number, level, rng, rng.choice, after(plies))
        pairs += 1
        different += plays_alike(match, number, level, rng)
    assert pairs == PAIRS // 10
    assert different >= pairs // 2


def after(plies: int) -> Callable[[list[Event], int], bool]:
    return lambda _, ply: ply == plies


def test_a_count_that_depends_on_hidden_ranks_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    choose, answers = HiddenRanksBrain.choose, count()

    def leaking(brain: HiddenRanksBrain, rng: Random) -> str:
        text = choose(brain, rng)
        brain.nodes += next(answers)
        return text

    monkeypatch.setattr(HiddenRanksBrain, "choose", leaking)
    rng = Random(1)
    match = play(HIDDEN[0], 1, RECRUIT, rng, rng.choice, after(10))
    assert match
    with pytest.raises(AssertionError, match="nodes"):
        plays_alike(match, 1, RECRUIT, rng)


@pytest.mark.parametrize("preset", tiers.parameters(CONVERTING, fast=("tactique-step-convert",)))
def test_pieces_that_have_changed_sides_reveal_nothing(preset: str) -> None:
    rules, different = ruleset(preset), 0
    for number in range(6):
        rng, level = Random(number), LEVELS[number % 3]

        def battle(moves: tuple[Move, ...], rng: Random = rng) -> Move:
            battles = [move for move in moves if isinstance(move, Attack | Charge)]
            return rng.choice(battles if battles and rng.random() < BATTLES else moves)

        match = None
        while match is None:
            match = play(rules, number, level, rng, battle, has_changed_sides(number))
        different += plays_alike(match, number, level, rng)
    assert different >= 3


def has_changed_sides(number: int) -> Callable[[list[Event], int], bool]:
    """After a piece has changed sides, the first turn of a seat that differs by the number."""
    return lambda events, ply: (
        ply % 2 == number % 2 and any(isinstance(event, Converted) for event in events)
    )
