"""Checks at entry: what can be played is never refused, and what nothing allows is named."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.plan_language.faults import BadLine
from games.plan_language.lines import MAX_LINES
from games.plan_language.reading import read_line
from games.play.plans import imagining
from games.play.plans.checking import check
from games.play.plans.fitting import fits
from games.play.plans.game_spelling import in_game
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.imagined_positions import imagine
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import (
    annotate,
    read_annotated,
    read_move,
    read_position,
    read_setup,
    write_move,
    write_position,
)
from games.rules.registry import editions, ruleset
from games.rules.simulation import random_opening
from tests import tiers


def sentence(bad: BadLine | None) -> str:
    return bad.template % bad.values if bad else ""


def faults(
    rules: Ruleset, position: str | Position, seat: Seat, *texts: str, own_move: str = ""
) -> list[str]:
    """The faults of lines that the player of a seat enters."""
    parsed = read_position(rules, position) if isinstance(position, str) else position
    seen = observe(rules, parsed, Viewpoint.of_seat(seat))
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
def test_lattaque_refuses_what_is_impossible(text: str) -> None:
    complaint = fault(LATTAQUE, IN_THE_FIELD, Seat.SOUTH, text)
    assert LATTAQUE_REFUSES[text] in complaint
    assert complaint


def test_a_rank_that_has_fallen_makes_no_move() -> None:
    """All of North's scouts have fallen, so nothing can jump from a7 to a5."""
    without = IN_THE_FIELD.replace("lf1rcrrkl1", "lf2c2kl1").replace("elks1rrek1", "elks3ek1")
    without = without.replace("gbbjc1serb", "gbbjc1se1b").replace("rejsy1lsbr", "jejsy1lsb1")
    assert "cannot play a7-a5" in fault(LATTAQUE, without, Seat.SOUTH, "if a7-a5 then a4xa5")
    assert fault(LATTAQUE, without, Seat.SOUTH, "if a7-a6 then a4-a5") == ""


FACE_UP = ruleset("lattaque-zh")


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "if e5-e6 then a4-a5": "",
        "if e5-f5 then a4-a5": "",
        "if e5-e8 then a4-a5": "cannot play e5-e8",
        "if e5xe4[K] then a4-a5": "",
        "if e5xe4[M] then a4-a5": "cannot show [M]",
        "if e5xe4- then a4-a5": "cannot show -",
    }.items(),
)
def test_a_piece_that_is_face_up_has_the_rank_it_shows(text: str, expected: str) -> None:
    position = IN_THE_FIELD.replace("~~k1", "~~k!1")
    complaint = fault(FACE_UP, position, Seat.SOUTH, text)
    assert expected in complaint
    assert bool(complaint) is bool(expected)


# --- domino Stratego

DOMINO = ruleset("domino")
TILES = (
    "4056104666025513/2244113533610041/6325125026453406",
    "4056104666025513/2244113533610041/6325125026453406",
)


def domino(*moves: str) -> Position:
    """The position after some moves, from the same set-up on both sides."""
    position = begin(DOMINO, None)
    for seat, tiles in zip(Seat, TILES, strict=True):
        position, _ = advance(DOMINO, position, seat, read_setup(DOMINO, seat, tiles))
    for text in moves:
        move = read_move(DOMINO, position, position.turn, text)
        position, _ = advance(DOMINO, position, position.turn, move)
    return position


# North's tile on c6 stands before South's 1-0 on c5, and North is to move.
CONTACT = ("c3-c4", "c8-c7", "c4-c5", "c7-c6", "h3-h4")


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "if c6-c7 then c5-c6": "",
        "if c6-d6 then c5-c6": "",
        "if d8-d7 then c5xc6": "",
        "if c6xc5 then c2-c3": "",
        "if c6xc5[40] then c2-c3": "",
        "if c6xc5[40,04] then c2-c3": "",
        "if c6xc5+ then c2-c3": "",
        "if c6xc5= then c2-c3": "",
        "if xc5 then c2-c3": "",
        "if xc5[66] then c2-c3": "",
        "if quiet then c5xc6": "",
        "otherwise c5xc6": "",
        "otherwise c5-c6": "",
        # An attack of 0 against the defence 0 is a tie, so my tile never wins.
        "if c6xc5- then c2-c3": "cannot show -",
        "if c6-c8 then c2-c3": "cannot play c6-c8",
        "if c6-c5 then c2-c3": "would be c6xc5",
        "if c7-c6 then c2-c3": "no piece of your opponent's on c7",
        "if c6-c7 then c5xc6": "would be c5-c6",
        "if d8-d7 then c5-c6": "would be c5xc6",
        "if d8-d7 then c5-c7": "one square",
        "if c6xc5[77] then c2-c3": "can show itself as “77”",
        "if c6xc5[M] then c2-c3": "can show itself as “M”",
        "if c6xc5+d then c2-c3": "No piece is demoted",
        "if c6-c9 then c2-i3": "no square i3",
        "otherwise c5-e5": "one square",
        "otherwise c6-c7": "not yours",
    }.items(),
)
def test_domino_accepts_and_refuses(text: str, expected: str) -> None:
    position = write_position(DOMINO, domino(*CONTACT))
    complaint = fault(DOMINO, position, Seat.SOUTH, text)
    assert expected in complaint
    assert bool(complaint) is bool(expected)


# --- Tactique

TACTIQUE = ruleset("tactique")
ROWS_OF_TACTIQUE = "ipvavvap/fiiappip/iipw'cciv/p1i'a4/2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV S 0 0"
# The same, without any archer of South's.
NO_ARCHERS = "ipvavvap/fiiappip/iipw'cciv/p1i'a4/2V4I/PIPPPIFI/CIPV1C1P/IIPVI1PV S 0 0 lost=AAAA/-"

TACTIQUE_CASES = {
    "if h4-h5 then h6xh5": "",
    "if h4-h5 then f6-f5": "",
    "if h4-h5xh6= then g6-h6": "",
    "if h4-h5xh6 then h6xh5": "",
    "if c4xc5 then c6-c5": "",
    "if c4xc5+ then c6xc5": "",
    "if c4xc5= then c6-c5": "",
    "if c4xc5- then c5xc4": "cannot show -",  # no lower rank attacks
    "if c4xc5[V,C] then c6xc5": "",
    "if xc5 then c6xc5": "",
    "if xc5-d then c5xc4": "",
    "if xc5[I'] then c6xc5": "",
    "if quiet then h6-h5": "",
    "otherwise e6-e4": "",
    "otherwise e6-e5xe4": "",
    "if h4-e4 then e6-e5xe4": "",  # an archer of mine demotes it there
    "if h4-e4 then e6-e4": "",  # it may be an archer, which is removed
    "if h4-g4 then e6-e4": "",
    "if h4-g4 then a5-b5xc5": "no enemy on c5",
    # The condition.
    "if a4-a5 then h6-h5": "no piece of your opponent's on a4",
    "if h4-g5 then h6-h5": "cannot play h4-g5",
    "if h4xh5 then h6-g6": "would be h4-h5",
    "if h4xh6 then h6-g6": "would be h4-h5xh6",
    "if h4-h6 then h6-g6": "would be h4-h5xh6",
    "if c4-c5 then h6-h5": "would be c4xc5",
    "if c4xc5+d then c6-c5": "cannot show +d",  # it is demoted already
    "if c4xc5[A] then c6-c5": "cannot show [A]",  # archers do not attack
    "if c4xc5[I'] then c6-c5": "cannot show [I']",  # no mark is on c4
    "if c4xc5[C'] then c6-c5": "can show itself as “C'”",
    "if c4xc5[W] then c6-c5": "can show itself as “W”",
    "if c4xc5[M] then c6-c5": "can show itself as “M”",
    "if *c4,c5-c6 then h6-h5": "is not a move of this game",
    # The answer.
    "if h4-h5 then h6-h5": "would be h6xh5",
    "if h4-g4 then h6xh5": "would be h6-h5",
    "if h4-g4 then d5xd4": "cannot attack",
    "if h4-g4 then a7-a8": "cannot move",
    "if h4-g4 then h6xh4": "would be h6-h5xh4",
    "if h4-h5 then h6-h5xg5": "h5 is not empty",
    "otherwise b5-b4": "no piece on b5",
    "otherwise a7-b7": "cannot move",
}


@pytest.mark.parametrize("text", TACTIQUE_CASES)
def test_tactique_accepts_and_refuses(text: str) -> None:
    complaint = fault(TACTIQUE, ROWS_OF_TACTIQUE, Seat.NORTH, text)
    assert TACTIQUE_CASES[text] in complaint
    assert bool(complaint) is bool(TACTIQUE_CASES[text])


def test_an_archer_that_cannot_be_there_any_more_is_not_assumed() -> None:
    assert "would be e6-e5xe4" in fault(TACTIQUE, NO_ARCHERS, Seat.NORTH, "if h4-e4 then e6-e4")
    assert fault(TACTIQUE, NO_ARCHERS, Seat.NORTH, "if h4-e4 then e6-e5xe4") == ""


# --- Assaut

ASSAUT = ruleset("assaut")
OFFICERS_TO_MOVE = "~~o1o~~/~~S2~~/SS3SS/SSSSSSS/SS1SSSS/~~SSS~~/~~SSS~~ O 0 0 0 -"
SOLDIERS_TO_MOVE = "~~2o~~/~~o2~~/SS2SSS/SSSSSSS/SS1SSSS/~~SSS~~/~~1SS~~ S 0 4 1 c6"

OFFICERS_CASES = {
    "if c7xc5 then d4-d5": "",
    "if c7xc5 then *c5,d4-d5": "",  # it could have gone on
    "if c7xc5xc3 then d4-d5": "",
    "if c7-d7 then *d7,c4-c5": "",  # it could have captured
    "if e7-e6 then *c7,d4-d5": "",
    "if e7-e6 then c6-c5": "",
    "if xc6 then d4-d5": "",
    "if xc4 then d4-d5": "",
    "if quiet then c4-c5": "",
    "otherwise c4-c5": "",
    "if e7-e6 then d4-e5": "",
    "if e7xe5 then c4-c5": "cannot play e7xe5",
    "if c7-c6 then c4-c5": "cannot play c7-c6",
    "if c7-c5 then c4-c5": "would be c7xc5",
    "if c6-c5 then c4-c5": "no piece of your opponent's on c6",
    "if c7xc5+ then d4-d5": "nothing is hidden",
    "if xc6[S] then d4-d5": "nothing is hidden",
    "if c7xc5xc3 then *c3,d4-d5": "",
    "if e7-e6 then *e6,d4-d5": "cannot be played",
    "if e7-e6 then c4xc6": "cannot be played",
    "if e7-e6 then c4-b4": "cannot be played",
    "if e7-e6 then e6-e7": "no piece",
    "if a7-a6 then c4-c5": "No piece can stand on a7",
    "if xa1 then c4-c5": "No piece can stand on a1",
}
SOLDIERS_CASES = {
    "if *c6,d4-d5 then e7-e6": "",
    "if *c6,d4-d5 then e7-d6": "",
    "if d4-c5 then c6-d6": "",
    "if d4-c5 then c6-d7": "cannot jump",
    "if d4-d5 then c6-c5": "",
    "if xc6 then e7-e6": "",
    "otherwise e7-e6": "",
    "if *e7,d4-d5 then c6-c7": "cannot play *e7,d4-d5",
    "if *c6,d4-d3 then e7-e6": "cannot play *c6,d4-d3",
    "if *c6,d4-d5 then c6-c7": "cannot be played",
    "if d4-d3 then c6-c7": "cannot play d4-d3",
}


@pytest.mark.parametrize("text", OFFICERS_CASES)
def test_assaut_checks_plans_of_the_soldiers(text: str) -> None:
    complaint = fault(ASSAUT, OFFICERS_TO_MOVE, Seat.SOUTH, text)
    assert OFFICERS_CASES[text] in complaint
    assert bool(complaint) is bool(OFFICERS_CASES[text])


@pytest.mark.parametrize("text", SOLDIERS_CASES)
def test_assaut_checks_plans_of_the_officers(text: str) -> None:
    complaint = fault(ASSAUT, SOLDIERS_TO_MOVE, Seat.NORTH, text)
    assert SOLDIERS_CASES[text] in complaint
    assert bool(complaint) is bool(SOLDIERS_CASES[text])


# --- cost


@pytest.mark.parametrize("key", ["lattaque-en", "domino", "tactique", "tactique-volley-all"])
@pytest.mark.parametrize("with_move", [False, True])
def test_a_line_is_checked_on_a_bounded_number_of_positions(
    monkeypatch: pytest.MonkeyPatch, key: str, with_move: bool
) -> None:
    rules, rng = ruleset(key), Random(7)
    before = random_opening(rules, rng)
    own, _, position = random_move(rules, before, rng)
    count = 0

    def counted(*args: Any) -> Position:
        nonlocal count
        count += 1
        return imagine(*args)

    monkeypatch.setattr(imagining, "imagine", counted)
    seen = observe(rules, before if with_move else position, Viewpoint.of_seat(before.turn))
    enemy = [write_move(rules, move) for move in rules.legal_moves(position, position.turn)][:10]
    own_squares = [square for square, one in seen.pieces.items() if one.seat is before.turn][:20]
    texts = [
        f"if {move} then {source}-{own_squares[0]}" for move in enemy for source in own_squares[1:3]
    ]
    texts += [
        f"if {word} then {own_squares[1]}-{own_squares[0]}"
        for word in ("any", "quiet", f"x{own_squares[2]}")
    ]
    lines = [in_game(rules, read_line(text), before.turn) for text in texts]
    check(rules, seen, lines, own if with_move else "")
    # The moves that the opponent may have are listed once for each rank.
    listed = 4 * len(rules.army)
    assert count <= imagining.POSITIONS * (len(lines) + 1) + listed


def test_a_plan_is_checked_on_a_bounded_number_of_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forty lines after an own attack: any of them alone would take dozens of positions."""
    rules, rng, count = TACTIQUE, Random(7), 0
    before = random_opening(rules, rng)
    own = next(
        text
        for text in (write_move(rules, move) for move in rules.legal_moves(before, before.turn))
        if "-" in text and "x" in text
    )
    fill = imagining.Imagination._filled

    def counted(*args: Any) -> Position:
        nonlocal count
        count += 1
        return fill(*args)

    monkeypatch.setattr(imagining.Imagination, "_filled", counted)
    seen = observe(rules, before, Viewpoint.of_seat(before.turn))
    pieces = {
        seat: [square for square, one in seen.pieces.items() if one.seat is seat] for seat in Seat
    }
    enemies, (start, end, *_) = pieces[before.turn.other], pieces[before.turn]
    pairs = [*pairwise(enemies), *zip(enemies, enemies[2:], strict=False)]
    lines = [
        in_game(rules, read_line(f"if {one}x{other} then {start}-{end}"), before.turn)
        for one, other in pairs[:MAX_LINES]
    ]
    assert len(lines) == MAX_LINES
    check(rules, seen, lines[:1], own)
    assert count > 2 * imagining.PLAN_POSITIONS / MAX_LINES
    count = 0
    check(rules, seen, lines, own)
    # One more reads the own move.
    assert count <= imagining.PLAN_POSITIONS + 1


# --- soundness: what can happen is never refused


def random_move(rules: Ruleset, position: Position, rng: Random) -> tuple[str, str, Position]:
    """A random legal move: its canonical text, the annotated text, and the position after it."""
    moves = list(rules.legal_moves(position, position.turn))[:300]
    move = rng.choice([m for m in moves if "x" in write_move(rules, m)] * 3 + moves)
    after, events = advance(rules, position, position.turn, move)
    return write_move(rules, move), annotate(rules, move, witness(events, Viewpoint.GALLERY)), after


def conditions_of(rules: Ruleset, move: str, text: str) -> list[str]:
    """Conditions that a turn fits."""
    turn = read_annotated(rules, text)
    shown = [""]
    if turn.battle and turn.result != "#":
        shown += [turn.result, f"[{turn.battle[0]}]"]
    conditions = [move + seen for seen in shown]
    if turn.attack and not rules.jumps:
        conditions += [f"x{turn.target}{seen}" for seen in shown]
    if not turn.attack and not turn.huffed and not turn.volley:
        conditions.append("quiet")
    return [*conditions, "any"]


@pytest.mark.parametrize(
    "key",
    tiers.parameters(
        [rules.key for rules in editions()], fast=("domino", "tactique-volley-all", "assaut")
    ),
)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000), plies=st.integers(0, 90))
@example(seed=65_536, plies=26)  # an own attacker, which archers may hit after the battle
def test_conditions_that_come_true_were_not_refused(key: str, seed: int, plies: int) -> None:
    rules, rng = ruleset(key), Random(seed)
    position = random_opening(rules, rng)
    for _ in range(plies):
        _, _, after = random_move(rules, position, rng)
        if after.outcome:
            return
        position = after
    before, owner = position, position.turn
    own, _, position = random_move(rules, before, rng)
    if position.outcome:
        return
    move, text, after = random_move(rules, position, rng)
    if after.outcome:
        return
    answer, _, _ = random_move(rules, after, rng)
    texts = [f"if {each} then {answer}" for each in conditions_of(rules, move, text)]
    for each in texts:
        line = in_game(rules, read_line(each), owner)
        assert fits(rules, line.steps[0].condition, read_annotated(rules, text))
        assert line.steps[0].answer == answer
    assert faults(rules, position, owner, *texts) == [""] * len(texts)
    assert faults(rules, before, owner, *texts, own_move=own) == [""] * len(texts)
