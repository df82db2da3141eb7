"""Differential test: engine against oracle, over random games and made-up positions.

Every test lets the oracle play, and puts the same questions to the referee that answers
on the command line. How much is played grows with the environment variable ORACLE_GAMES (1 by
default); a failure prints the line that repeats it. Its one rule: no answer is made equal before
it is compared, but for the further fields that a position may carry and an error's wording.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from games.rules import referee, registry
from tests import tiers
from tests.rules.oracle.made_up_positions import duels, random_options, scene
from tests.rules.oracle.questions import EVERYTHING
from tests.rules.oracle.referee import (
    PRESETS,
    answer,
    begin,
    random_setup,
    system_of,
    wanted_of,
)

ROOT = Path(__file__).parents[2]
GAMES = int(os.environ.get("ORACLE_GAMES", "1"))
QUESTIONS = 80 * GAMES
SCENES = 8 * GAMES
PLIES_OF_A_SCENE = 14
TOO_MANY_TURNS = 2000

# A question with the answer that the oracle gives.
Case = tuple[dict[str, Any], dict[str, Any]]
KNOWN = [rules.key for rules in registry.editions()]
# One edition of each game, for the tests that choose their own options.
BASES = ["lattaque-en", "domino", "tactique", "assaut"]


def ask_the_command_line(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of one run of the command line to many questions."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    command = [sys.executable, "-m", "games.rules", "--batch"]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def comparable(preset: str, given: dict[str, Any]) -> dict[str, Any]:
    """An answer without an error's wording and without the further fields of a position."""
    kept = dict(given)
    if "error" in kept:
        kept["error"] = "refused"
    if "position" in kept:
        fields = 6 if system_of(preset) == "assaut" else 4
        kept["position"] = " ".join(kept["position"].split(" ")[:fields])
    return kept


def ask_the_referee(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the command line does, without the time that it takes to start."""
    return [referee.answer_line(json.dumps(request).encode()) for request in requests]


def check(cases: list[Case], ask: Callable[..., list[dict[str, Any]]] = ask_the_referee) -> None:
    answers = ask([request for request, _ in cases])
    assert len(answers) == len(cases)
    for (request, expected), given in zip(cases, answers, strict=True):
        preset = request["preset"]
        wanted, expected_and_given = comparable(preset, expected), comparable(preset, given)
        differing = [
            key
            for key in wanted.keys() | expected_and_given.keys()
            if wanted.get(key) != expected_and_given.get(key)
        ]
        explained = "".join(
            f"\n{key}\n  oracle {expected.get(key)}\n  engine {given.get(key)}" for key in differing
        )
        assert not differing, (
            f"echo '{json.dumps(request)}' | python -m games.rules --batch{explained}"
        )


def turns_of(game: Any) -> list[str]:
    """The legal turns; in Assaut no more than just too many, so that none has to list them all."""
    if game.status is not None:
        return []
    if hasattr(game, "turns"):
        return list(islice(game.turns(), TOO_MANY_TURNS + 1))
    return list(game.legal())


def everything(
    game: Any, annotated: list[str], turns: list[str]
) -> tuple[list[str], dict[str, Any]]:
    """What to ask of the game as it stands, and the oracle's answers."""
    want = [key for key in EVERYTHING if key != "legal" or len(turns) <= TOO_MANY_TURNS]
    quick = [key for key in want if key != "legal"]
    answers = wanted_of(game, annotated, quick)
    return want, answers | ({"legal": sorted(turns)} if "legal" in want else {})


def chosen(game: Any, turns: list[str], own_last: str, rng: random.Random) -> str:
    """A random turn, weighted: often a battle, a huff or a step back, seldom a flag's capture."""
    gentle = [turn for turn in turns if not takes_a_flag(game, turn)]
    turns = gentle if gentle and rng.random() < 0.8 else turns
    huffs = [turn for turn in turns if turn.startswith("*")]
    fights = [turn for turn in turns if "x" in turn]
    back = "-".join(reversed(own_last.split("-")))
    if huffs:
        others = [turn for turn in turns if turn not in huffs]
        return rng.choice(huffs if rng.random() < 0.3 or not others else others)
    if fights and rng.random() < 0.5:
        return rng.choice(fights)
    if back in turns and own_last != back and rng.random() < 0.45:
        return back
    return rng.choice(turns)


def takes_a_flag(game: Any, turn: str) -> bool:
    target = game.pieces.get(turn.replace("x", "-").split("-")[-1])
    return getattr(target, "letter", "") == "F"


def ends_of(text: str) -> tuple[str, list[str]]:
    """What a text huffs, and its first and last square, by which a loose spelling is read."""
    huffed, _, move = text.rpartition(",")
    squares = re.findall("[a-z][0-9]+", move)
    return huffed, squares[:1] + squares[-1:]


def probe(game: Any, turns: list[str], own_last: str, rng: random.Random) -> str | None:
    """A text that looks like a turn and is none, or None if this one is a turn."""
    names = sorted(game.pieces)
    near = ["a1", "d4", "e5", "c5", "d6", "h8", "a9", "j10", "i5", "z9"]
    probe_text = rng.choice(
        [
            f"{rng.choice(names)}-{rng.choice(names + near)}",
            f"{rng.choice(names)}x{rng.choice(names)}",
            f"{rng.choice(turns)}x{rng.choice(names + near)}",
            f"*{rng.choice(names)},{rng.choice(turns)}",
            f"*{rng.choice(names)}",
            "-".join(reversed(own_last.split("-"))),
            rng.choice(turns).rpartition("x")[0],
            "-",
        ]
    )
    kind = any(ends_of(probe_text) == ends_of(turn) for turn in turns)
    return None if kind or len(turns) > TOO_MANY_TURNS else probe_text


def follow(start: dict[str, Any], plies: int, rng: random.Random) -> list[Case]:
    """Plays on from a start; questions at every ply, asked from a little before it.

    A little is as far back as the two-square rule remembers. The last question goes back to the
    start.
    """
    game = begin(start)
    memory = 2 * game.options.get("two_square", 0)
    positions, moves, annotated = [game.position()], list[str](), list[str]()
    turns = turns_of(game)
    want, expected = everything(game, annotated, turns)
    cases: list[Case] = [({**start, "want": want}, expected)]
    while turns and len(moves) < plies:
        back = max(0, len(moves) - memory)
        since = (
            {**start, "moves": moves[back:]} if back == 0 else later(start, positions, moves, back)
        )
        own_last = moves[-2] if len(moves) > 1 else ""
        false_turn = probe(game, turns, own_last, rng) if rng.random() < 0.3 else None
        if false_turn is not None:
            request = {**since, "moves": [*since["moves"], false_turn], "want": ["status"]}
            cases.append((request, {"error": "refused", "at": len(since["moves"])}))
        move = chosen(game, turns, own_last, rng)
        annotated.append(game.play(move))
        moves.append(move)
        positions.append(game.position())
        turns = turns_of(game)
        want, expected = everything(game, annotated, turns)
        if back > 0:
            expected |= {"annotated": annotated[back:], "volley": None}
        cases.append(({**since, "moves": moves[back:], "want": want}, expected))
    whole = {"annotated": annotated, "volley": game.volley}
    cases.append(({**start, "moves": moves, "want": want}, expected | whole))
    return cases


def later(
    start: dict[str, Any], positions: list[str], moves: list[str], back: int
) -> dict[str, Any]:
    """The start moved forward to the position before a later move."""
    if back == 0:
        return {**start, "moves": list(moves)}
    kept: dict[str, Any] = {key: start[key] for key in ("preset", "switches") if key in start}
    return {**kept, "position": positions[back], "moves": moves[back:]}


def setups(preset: str, options: dict[str, Any], rng: random.Random) -> list[str]:
    return [random_setup(preset, options, seat, rng) for seat in "SN"]


def games(preset: str, questions: int) -> list[Case]:
    """Games from their set-ups, as many as make up so many questions."""
    cases: list[Case] = []
    number = 0
    while len(cases) < questions:
        rng = random.Random(f"{preset} game {number}")
        start = {"preset": preset, "setup": setups(preset, {}, rng)}
        cases += follow(start, questions - len(cases), rng)
        number += 1
    return cases


def scenes(preset: str, count: int) -> list[Case]:
    """Some plies from each of so many made-up positions."""
    cases: list[Case] = []
    for number in range(count):
        rng = random.Random(f"{preset} scene {number}")
        start = {"preset": preset, "position": scene(preset, {}, rng)}
        cases += follow(start, PLIES_OF_A_SCENE, rng)
    return cases


def mixtures(preset: str, count: int) -> list[Case]:
    """Some plies with each of some random choices of options."""
    cases: list[Case] = []
    for number in range(count):
        rng = random.Random(f"{preset} switches {number}")
        options = random_options(preset, rng)
        start: dict[str, Any] = {"preset": preset, "switches": options}
        if number % 10 == 0:
            start["setup"] = setups(preset, options, rng)
        else:
            start["position"] = scene(preset, options, rng)
        cases += follow(start, 2 * PLIES_OF_A_SCENE, rng)
    return cases


def battles(preset: str, options: dict[str, Any]) -> list[Case]:
    """Every attacker against every defender."""
    cases: list[Case] = []
    base = {"preset": preset, "switches": options}
    for position, move in duels(preset, options):
        want = ["position", "views", "annotated", "status"]
        request = {**base, "position": position, "moves": [move], "want": want}
        cases.append((request, answer(request)))
    return cases


def spoilt_setups(preset: str, count: int) -> list[Case]:
    """Set-ups of which one has been tampered with."""
    cases: list[Case] = []
    for number in range(count):
        rng = random.Random(f"{preset} setup {number}")
        both = setups(preset, {}, rng)
        seat = rng.randrange(2)
        both[seat] = spoilt(both[seat], rng)
        request = {"preset": preset, "setup": both, "want": ["position"]}
        cases.append((request, answer(request)))
    return cases


def spoilt(setup: str, rng: random.Random) -> str:
    """A set-up with one letter exchanged, doubled or gone: often wrong, sometimes right still."""
    if not setup:
        return "c5,c6"
    at, other = rng.randrange(len(setup)), rng.randrange(len(setup))
    middle = rng.choice(["", setup[other], setup[at] * 2, "x", "1"])
    # Two commas in a row may be read kindly.
    return (setup[:at] + middle + setup[at + 1 :]).replace(",,", ",x,")


def test_engine_and_oracle_have_the_same_editions() -> None:
    missing = sorted(set(PRESETS) - set(KNOWN))
    unread = sorted(set(KNOWN) - set(PRESETS))
    assert not missing, f"The engine lacks {', '.join(missing)}."
    assert not unread, f"The oracle lacks {', '.join(unread)}."


@pytest.mark.parametrize("preset", tiers.editions(KNOWN))
def test_whole_games_agree(preset: str) -> None:
    check(games(preset, QUESTIONS))


@pytest.mark.parametrize("preset", tiers.editions(KNOWN))
def test_made_up_positions_agree(preset: str) -> None:
    check(scenes(preset, SCENES))


@pytest.mark.parametrize(
    "preset", tiers.editions(key for key in KNOWN if system_of(key) != "assaut")
)
def test_every_battle_agrees(preset: str) -> None:
    check(battles(preset, {}))


def test_battles_with_weak_demoted_pieces_agree() -> None:
    check(battles("tactique", {"d1_takes_archer": False}))


@pytest.mark.parametrize("preset", tiers.parameters(BASES, fast=("lattaque-en", "tactique")))
def test_random_options_agree(preset: str) -> None:
    check(mixtures(preset, 5 * SCENES))


@pytest.mark.parametrize("preset", tiers.editions(KNOWN))
def test_invalid_setups_are_refused_by_both(preset: str) -> None:
    check(spoilt_setups(preset, SCENES))


def test_the_command_line_gives_the_same_answers() -> None:
    cases = [case for preset in KNOWN for case in scenes(preset, 1) + spoilt_setups(preset, 2)]
    check(cases, ask_the_command_line)
