"""Checks at entry: what can be played is never refused, and what nothing allows is named."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.plan_language.faults import BadLine
from games.plan_language.reading import read_line
from games.play.plans.checking import check
from games.play.plans.fitting import fits
from games.play.plans.game_spelling import in_game
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import (
    annotate,
    read_annotated,
    read_position,
    write_move,
)
from games.rules.registry import editions, ruleset
from games.rules.simulation import random_opening


def sentence(bad: BadLine | None) -> str:
    return bad.template % bad.facts if bad else ""


def faults(
    rules: Ruleset, position: str | Position, seat: Seat, *texts: str, own_move: str = ""
) -> list[str]:
    """The faults of lines that the player of a seat enters."""
    here = read_position(rules, position) if isinstance(position, str) else position
    seen = observe(rules, here, Viewpoint.of(seat))
    lines = [in_game(rules, read_line(text), seat) for text in texts]
    return [sentence(bad) for bad in check(rules, seen, lines, own_move)]


def fault(rules: Ruleset, position: str, seat: Seat, text: str, own_move: str = "") -> str:
    """The fault of one line, in the spelling of a game or on the board."""
    try:
        return faults(rules, position, seat, text, own_move=own_move)[0]
    except BadLine as bad:
        return sentence(bad)


# --- L'Attaque

LATTAQUE = ruleset("lattaque-en")
# A captain of North's stands on e5 before a scout on e4, and a scout on a7 may reach a4.
IN_THE_FIELD = (
    "lf1rcrrkl1/gbbjc1serb/elks1rrek1/rejsy1lsbr/2~~2~~2/2~~k1~~2/"
    "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES N 0 5"
)

LATTAQUE_ACCEPTS = (
    "if e5-e6 then e4-e5",
    "if e5-f5 then e4-e5",
    "if e5-f5 then e4-e6 if any then e6xe7",
    "if a7-a5 then a4xa5",  # the piece on a7 may be a scout
    "if a7-a5 then a4xa5+ if any then a5-a6",
    "if a7-a5 then a4xa5[R,M] if any then a5-a6",
    "if a7xa4 then b4-b5",
    "if a7xa4[R] then b4-b5",
    "if a7xa4= then b4-a4",
    "if e5xe4 then e3xe4",
    "if e5xe4+ then e3xe4",
    "if e5xe4- then e4-e5",
    "if e5xe4 then e4-e6",
    "otherwise i4xi5",  # a scout may go from i7 to i5
    "if e5xe4= then e3-e4",
    "if e5xe4[M,G] then e3xe4",
    "if xe4 then e3-e4",
    "if xe4 then e3xe4",
    "if xd4 then a4-a5",
    "if xe4[B] then a4-a5",
    "if quiet then a4-a5",
    "if quiet then e4xe5",
    "if quiet then e4-e5",
    "otherwise a4-a6",
    "otherwise a4xa5",
    "otherwise e4xe5",
    "otherwise e4-e6",
    "otherwise e3-e4",
    "otherwise e3xe4",
)
LATTAQUE_REFUSES = {
    # The spelling of this game.
    "if e6-d6 then a4-a5": "No piece can stand on d6",
    "if e5-e6 then d4-d5": "No piece can stand on d5",
    "if xk1 then a4-a5": "no square k1",
    "if e5-e6 then e4-e11": "no square e11",
    "if e5xe4+d then a4-a5": "No piece is demoted",
    "if e5xe4[C'] then a4-a5": "can show itself as “C'”",
    "if e5xe4[A] then a4-a5": "can show itself as “A”",
    "if e5xe4[40] then a4-a5": "can show itself as “40”",
    "if *e5,e6-e7 then a4-a5": "is not a move of this game",
    "if e5-e6xe7 then a4-a5": "is not a move of this game",
    "if e5xe4xe3 then a4-a5": "is not a move of this game",
    "if e5-e6 then *e6": "is not a move of this game",
    # The condition.
    "if e6-e7 then a4-a5": "no piece of your opponent's on e6",
    "if e4-e6 then a4-a5": "no piece of your opponent's on e4",
    "if e5-e8 then a4-a5": "cannot play e5-e8",
    "if e5-f6 then a4-a5": "cannot play e5-f6",
    "if a7-b7 then a4-a5": "cannot play a7-b7",
    "if a7-a4 then b4-b5": "would be a7xa4",
    "if e5xe6 then a4-a5": "would be e5-e6",
    "if a7xa4[M] then b4-b5": "cannot show [M]",
    "if a7xa4- then b4-b5": "cannot show -",
    # The answer.
    "if e5-e6 then e4-e6": "would be e4xe6",
    "if e5-f5 then e4xe5": "would be e4-e5",
    "if e5-f5 then d4-e4": "no piece on d4",
    "if e5-f5 then e5-e6": "not yours",
    "if e5-f5 then b3-b4": "cannot move",
    "if e5-f5 then h4-f4": "one square at a time",
    "if e5-f5 then a4-b5": "not in line",
    "if e5-f5 then a1-a2": "already a piece of yours",
    "if e5-f5 then a4-a8": "not empty",
    "otherwise d4-e4": "no piece on d4",
    "otherwise b3-b4": "cannot move",
    "otherwise a1-a2": "already a piece of yours",
    "otherwise i4xi6": "one square at a time",
    "otherwise a2xa1": "already a piece of yours",
    "if quiet then i4xi6": "one square at a time",
    "if quiet then a4-a8": "not empty",
    "if xe4 then f3-f5": "one square at a time",
}  # fmt: skip


@pytest.mark.parametrize("text", LATTAQUE_ACCEPTS)
def test_lattaque_accepts_what_may_be_played(text: str) -> None:
    assert fault(LATTAQUE, IN_THE_FIELD, Seat.SOUTH, text) == ""


@pytest.mark.parametrize("text", LATTAQUE_REFUSES)
def test_lattaque_refuses_what_nothing_allows(text: str) -> None:
    said = fault(LATTAQUE, IN_THE_FIELD, Seat.SOUTH, text)
    assert LATTAQUE_REFUSES[text] in said
    assert said


def test_a_rank_that_has_fallen_plays_no_move() -> None:
    """All of North's scouts have fallen, so nothing can jump from a7 to a5."""
    without = IN_THE_FIELD.replace("lf1rcrrkl1", "lf2c2kl1").replace("elks1rrek1", "elks3ek1")
    without = without.replace("/gbbjc1serb/rejsy1lsbr/", "/gbbjc1se1b/cejsy1lsb1/")
    assert "cannot play a7-a5" in fault(LATTAQUE, without, Seat.SOUTH, "if a7-a5 then a4xa5")
    assert fault(LATTAQUE, without, Seat.SOUTH, "if a7-a6 then a4-a5") == ""


def test_a_battle_that_is_remembered_does_not_count() -> None:
    """Whatever stands on b9 in truth, the check treats it as any piece."""
    assert fault(LATTAQUE, IN_THE_FIELD, Seat.SOUTH, "if i7-i6 then a4-a5") == ""


# --- soundness: what can happen is never refused


def played(rules: Ruleset, here: Position, rng: Random) -> tuple[str, str, Position]:
    """A random legal move: its canonical text, the annotated text, and the position after it."""
    moves = list(rules.legal_moves(here, here.turn))[:300]
    move = rng.choice([m for m in moves if "x" in write_move(rules, m)] * 3 + moves)
    after, events = advance(rules, here, here.turn, move)
    return write_move(rules, move), annotate(rules, move, witness(events, Viewpoint.GALLERY)), after


def conditions_of(rules: Ruleset, move: str, text: str) -> list[str]:
    """Conditions that a turn fits."""
    turn = read_annotated(rules, text)
    shown = [""]
    if turn.battle and turn.result != "#":
        shown += [turn.result, f"[{turn.battle[0]}]"]
    found = [move + seen for seen in shown]
    if turn.attack and not rules.jumps:
        found += [f"x{turn.target}{seen}" for seen in shown]
    if not turn.attack and not turn.huffed and not turn.volley:
        found.append("quiet")
    return [*found, "any"]


@pytest.mark.parametrize("key", [rules.key for rules in editions()])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000), plies=st.integers(0, 90))
def test_what_comes_true_was_not_refused(key: str, seed: int, plies: int) -> None:
    rules, rng = ruleset(key), Random(seed)
    here = random_opening(rules, rng)
    for _ in range(plies):
        _, _, after = played(rules, here, rng)
        if after.outcome:
            return
        here = after
    before, owner = here, here.turn
    own, _, here = played(rules, before, rng)
    if here.outcome:
        return
    move, text, after = played(rules, here, rng)
    if after.outcome:
        return
    answer, _, _ = played(rules, after, rng)
    texts = [f"if {each} then {answer}" for each in conditions_of(rules, move, text)]
    for each in texts:
        line = in_game(rules, read_line(each), owner)
        assert fits(rules, line.steps[0].condition, read_annotated(rules, text))
        assert line.steps[0].answer == answer
    assert faults(rules, here, owner, *texts) == [""] * len(texts)
    assert faults(rules, before, owner, *texts, own_move=own) == [""] * len(texts)
