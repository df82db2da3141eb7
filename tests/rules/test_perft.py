"""Perft: sequences of turns counted to depth 3 from fixed set-ups, to depth 2 in mid-game.

Engine and oracle have counted the same, and a changed number has to be counted in both. The oracle
takes its time over the third turn, so it counts that only where
more than the usual is asked of it (ORACLE_GAMES, see test_against_the_oracle).
"""

import copy
import os
from typing import Any

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.engine import advance, begin
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import read_position, read_setup
from games.rules.registry import ruleset
from tests import tiers
from tests.rules.oracle import referee

PATIENT = int(os.environ.get("ORACLE_GAMES", "1")) > 1

# For each board the set-ups of South and North, and a position of another game under way.
STARTS = {
    "lattaque": (
        (
            "RJ1RBSRKFB/YRKRKRMGKR/SSLB1LEB1E/ECLSELR1JC",
            "CMGCKLJRKR/LYBEES1SKS/EFRLRJSBBE/R1RRL1R1BK",
        ),
        "rerkcle1fs/lrsergb1kl/k1rbb2e1b/1j2kj4/2~~2~~2/1r~~Kl~~2/1MES5c/1B1KLC1S2/C2BEGSLE1/"
        "KRBBFYS1K1 S 0 200",
    ),
    "gibson": (
        ("SRYRSFCER/BMJSKRLSL/LBEGRKEKK/RERBLRBJC", "MBRBRKFLC/KKEKLCRRE/RRLBYSERB/RSJJELGSS"),
        "s1blkb1cj/elerbcsm1/j1el2M2/ebr1f4/1g~1~1~1l/2~1~1~1G/B1KLB1J1E/2RCSLLER/SEYLKKEJR/"
        "B1SS1BFRR S 1 150",
    ),
    "domino": (
        (
            "4231626606415512/1164222001503053/1654512365434400",
            "2663066102142133/3453002365040545/1031254446665155",
        ),
        "<00>2<32>1<44><54>1/<30><22>1<63><21><02><60><65>/<11>1<50>2<40>2/<52>2[40]4/3<55>2<66>"
        "<15>/2<43>5/<64>[00]1[15][11]3/[66]1[46][13][36][03][22]1/[65][26][16]1[24][02][35][33]/"
        "[60][21]4[23]1 S 9 200",
    ),
    "tactique": (
        ("1VII4/ICAVPIII/APIPPAFP/PPIVPAVC", "PCVIAPIP/PPAIIIPI/IVAPVCFP/AI3V2"),
        "iicvfpca/piip1app/iv6/w'5aI'/VC2VI'2/1CA5/APIVA3/PIFI1I1I S 1 30",
    ),
    "assaut": (
        ("", "c7,d7"),
        "~~3~~/~~1S1~~/SSS1SSS/2oS1SS/SSSS1SS/~~SSS~~/~~SSS~~ S 3 30 2 -",
    ),
}

# For each preset the turns of one, two and three plies from the set-ups, and from the position.
COUNTS = {
    "lattaque-en": ((16, 235, 3956), (24, 739)),
    "lattaque-en-forward": ((14, 191, 2769), (21, 522)),
    "lattaque-zh": ((16, 235, 3956), (24, 739)),
    "lattaque-zh-return": ((16, 235, 3956), (24, 739)),
    "lattaque-gibson": ((11, 87, 1132), (21, 438)),
    "lattaque-en-isf2sq": ((16, 235, 3956), (24, 739)),
    "lattaque-en-shortscout": ((15, 208, 3347), (24, 738)),
    "lattaque-zh-spyboth": ((16, 235, 3956), (24, 739)),
    "domino": ((8, 64, 864), (31, 1268)),
    "domino-return": ((8, 64, 864), (31, 1268)),
    "tactique": ((28, 685, 21472), (60, 2784)),
    "tactique-step": ((16, 220, 4324), (32, 529)),
    "tactique-convert": ((28, 720, 22444), (60, 2786)),
    "tactique-step-convert": ((16, 233, 4589), (32, 530)),
    "tactique-straight": ((23, 446, 11423), (55, 2251)),
    "tactique-volley-all": ((28, 702, 23517), (60, 2777)),
    "assaut": ((9, 36, 338), (16, 97)),
    "assaut-noblock": ((9, 36, 338), (16, 97)),
    "assaut-free": ((9, 36, 394), (21, 131)),
    "assaut-free-noblock": ((9, 36, 394), (21, 131)),
    "assaut-compulsory": ((9, 36, 338), (16, 33)),
    "assaut-german": ((9, 36, 338), (17, 106)),
}


def start_of(preset: str) -> tuple[tuple[str, str], str]:
    """The set-ups and the position from which a preset is counted."""
    return STARTS["gibson" if preset == "lattaque-gibson" else referee.system_of(preset)]


def set_up(rules: Ruleset, setups: tuple[str, str]) -> Position:
    position = begin(rules, None)
    for seat, text in zip(Seat, setups, strict=True):
        if text:
            position, _ = advance(rules, position, seat, read_setup(rules, seat, text))
    return position


def count(rules: Ruleset, position: Position, depth: int) -> int:
    """The sequences of so many turns, as the engine lists them."""
    moves = tuple(rules.legal_moves(position, position.turn))
    if depth == 1:
        return len(moves)
    seat = position.turn
    return sum(count(rules, rules.apply(position, seat, move)[0], depth - 1) for move in moves)


def count_again(game: Any, depth: int) -> int:
    """The sequences of so many turns, as the oracle lists them."""
    turns = [] if game.status is not None else list(game.legal())
    if depth == 1:
        return len(turns)
    total = 0
    for turn in turns:
        after = copy.deepcopy(game)
        after.play(turn)
        total += count_again(after, depth - 1)
    return total


def test_every_edition_is_counted() -> None:
    assert list(COUNTS) == list(referee.PRESETS)


@pytest.mark.parametrize("preset", COUNTS)
def test_the_engine_finds_this_number_of_turns(preset: str) -> None:
    rules = ruleset(preset)
    setups, text = start_of(preset)
    opening, middle = COUNTS[preset]
    first = set_up(rules, setups)
    assert tuple(count(rules, first, depth) for depth in (1, 2, 3)) == opening
    position = read_position(rules, text)
    assert tuple(count(rules, position, depth) for depth in (1, 2)) == middle


@pytest.mark.parametrize("preset", tiers.editions(COUNTS))
def test_the_oracle_finds_the_same_number(preset: str) -> None:
    setups, text = start_of(preset)
    opening, middle = COUNTS[preset]
    first = referee.begin({"preset": preset, "setup": list(setups)})
    depths = (1, 2, 3) if PATIENT else (1, 2)
    assert tuple(count_again(first, depth) for depth in depths) == opening[: len(depths)]
    position = referee.begin({"preset": preset, "position": text})
    assert tuple(count_again(position, depth) for depth in (1, 2)) == middle
