"""Properties of every edition: texts, legality, refusals and secrecy."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.core.basics.moves import Attack, Capture, Charge, Huff, Move, Setup, Walk
from games.rules.core.basics.pieces import MARKED, Seat, is_piece, owner, piece
from games.rules.core.basics.refusals import BadSetup, IllegalMove, NotYourTurn, Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Converted, Ended
from games.rules.core.state.position import Phase, Position
from games.rules.core.text.game_record import check, read_record, write_record
from games.rules.core.text.notation import (
    annotate,
    board_text,
    read_annotated,
    read_move,
    read_position,
    read_setup,
    write_move,
    write_position,
    write_setup,
)
from games.rules.registry import editions, register, ruleset, withdraw
from games.rules.systems.domino import low_end_first
from tests import tiers
from tests.rules.shortcuts import army_size, game, opened, recorded
from tests.sixth_game import outpost

# These properties also hold for a game that only a test registers.
RULES = (*editions(), *outpost.EDITIONS)
every_ruleset = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
FAST = [rules for rules in RULES if rules.key in {*tiers.REPRESENTATIVES, outpost.PLAIN.key}]
playing_ruleset = pytest.mark.parametrize(
    "rules", tiers.parameters(RULES, fast=FAST), ids=lambda rules: rules.key
)
hidden_ruleset = pytest.mark.parametrize(
    "rules",
    tiers.parameters(
        (rules for rules in RULES if rules.hidden), fast=[rules for rules in FAST if rules.hidden]
    ),
    ids=lambda rules: rules.key,
)
seeds = st.integers(0, 2**32)
lengths = st.integers(0, 120)
few = settings(max_examples=4, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def outpost_is_registered() -> Iterator[None]:
    register(outpost.EDITIONS)
    yield
    withdraw(outpost.PLAIN.family)


def some_position(rules: Ruleset, seed: int, plies: int) -> Position:
    """A position some random turns into a game."""
    after = [step[3] for step in game(rules, seed, plies)]
    return after[-1] if after else opened(rules, seed)


def test_there_are_twenty_two_editions_of_five_games() -> None:
    own = [rules for rules in editions() if rules not in outpost.EDITIONS]
    keys = [rules.key for rules in own]
    assert len(keys) == len(set(keys)) == 22
    assert {rules.family for rules in own} == {"lattaque", "domino", "tactique", "assaut"}


@every_ruleset
def test_an_edition_has_a_title_and_explains_its_options(rules: Ruleset) -> None:
    assert rules.title
    assert set(rules.options) == {spec.name for spec in rules.option_specs}
    for spec in rules.option_specs:
        assert spec.admit(rules.options[spec.name]) == rules.options[spec.name]
        for value, sentence in spec.choices:
            assert spec.admit(value) == value
            assert sentence.endswith(".")


@every_ruleset
def test_titles_differ(rules: Ruleset) -> None:
    assert [other.key for other in editions() if other.title == rules.title] == [rules.key]


@playing_ruleset
@few
@given(seed=seeds)
def test_a_random_set_up_is_valid_and_round_trips(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    position = begin(rules, rng)
    assert position.phase is Phase.SETUP
    for seat in position.to_act:
        setup = rules.random_setup(seat, rng, position)
        text = write_setup(rules, setup)
        assert read_setup(rules, seat, text) == setup
        assert read_move(rules, position, seat, f" {text}\n") == setup
        assert rules.check_setup(seat, text, position) == []
        assert read_position(rules, write_position(rules, position)) == position
        position, _ = advance(rules, position, seat, setup)
    assert position.phase is not Phase.SETUP
    assert position.ply == 0


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_position_round_trips(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    text = write_position(rules, position)
    assert "\n" not in text
    assert read_position(rules, text) == position
    assert write_position(rules, read_position(rules, text)) == text


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_game_continues_equally_from_its_text(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    again = read_position(rules, write_position(rules, position))
    seat = position.turn
    moves = list(rules.legal_moves(position, seat))
    assert list(rules.legal_moves(again, seat)) == moves
    for move in moves[:5]:
        assert advance(rules, again, seat, move) == advance(rules, position, seat, move)


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_legal_move_round_trips(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    seat = position.turn
    texts = set()
    for move in rules.legal_moves(position, seat):
        text = write_move(rules, move)
        texts.add(text)
        assert read_move(rules, position, seat, text) == move
        assert read_move(rules, position, seat, f"  {text.upper()} ") == move
        after, events = advance(rules, position, seat, move)
        annotated = annotate(rules, move, witness(events, Viewpoint.GALLERY))
        assert read_move(rules, position, seat, annotated) == move
        assert read_annotated(rules, annotated).text == text
        assert after.ply == position.ply + 1
    assert len(texts) == len(list(rules.legal_moves(position, seat)))


@playing_ruleset
@settings(max_examples=2, deadline=None)
@given(seed=seeds, plies=lengths)
def test_listed_moves_are_the_accepted_ones(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    seat = position.turn
    listed = set(rules.legal_moves(position, seat))
    assert all(rules.is_legal(position, seat, move) for move in listed)
    if position.outcome:
        return
    others = [move for move in _all_simple_moves(rules) if move not in listed]
    for move in others:
        assert not rules.is_legal(position, seat, move)
    for move in random.Random(seed).sample(others, 1_000):
        with pytest.raises(IllegalMove) as refusal:
            advance(rules, position, seat, move)
        assert_sentence(refusal.value)


def _all_simple_moves(rules: Ruleset) -> list[Move]:
    """Every walk and attack on the board, and some of the longer actions."""
    cells = [rules.board.index[square] for square in rules.board.squares]
    moves: list[Move] = []
    for source, target in product(cells, repeat=2):
        moves += [Walk(source, target), Attack(source, target)]
    rng = random.Random(1)
    for _ in range(200):
        moves.append(Charge(*rng.choices(cells, k=3)))
        moves.append(Capture(tuple(rng.choices(cells, k=rng.randint(2, 4)))))
        moves.append(Huff(rng.choice(cells), Walk(*rng.choices(cells, k=2))))
        moves.append(Huff(rng.choice(cells), None))
    return moves


def assert_sentence(refusal: Refusal) -> None:
    """A refusal is a whole sentence, and its template with its facts is what it says."""
    text = str(refusal)
    assert text == refusal.template % refusal.values
    assert text.endswith(".")


@playing_ruleset
@few
@given(seed=seeds)
def test_a_game_ends_once_and_armies_only_shrink(rules: Ruleset, seed: int) -> None:
    endings = 0
    for before, _, _, after, events in game(rules, seed, 600):
        converted = any(isinstance(event, Converted) for event in events)
        for seat in Seat:
            if not converted:
                assert army_size(after, seat) <= army_size(before, seat)
        endings += sum(isinstance(event, Ended) for event in events)
        assert isinstance(events[-1], Ended) is (after.outcome is not None)
    assert endings <= 1
    if endings:
        assert after.phase is Phase.OVER
        assert after.to_act == ()
        for seat in Seat:
            assert list(rules.legal_moves(after, seat)) == []
            with pytest.raises(NotYourTurn):
                advance(rules, after, seat, Walk(0, 1))


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_no_side_moves_out_of_turn(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    other = position.turn.other
    assert list(rules.legal_moves(position, other)) == []
    with pytest.raises(NotYourTurn):
        advance(rules, position, other, Walk(0, 1))
    with pytest.raises(NotYourTurn):
        read_move(rules, position, other, "a1-a2")


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_position_is_not_changed_by_a_move(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    text = write_position(rules, position)
    for move in list(rules.legal_moves(position, position.turn))[:10]:
        advance(rules, position, position.turn, move)
        assert write_position(rules, position) == text


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_repr_shows_no_rank(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    other = scrambled(rules, position, Seat.NORTH, seed)
    assert repr(other) == repr(position)
    rng = random.Random(seed)
    start = begin(rules, rng)
    setups = [rules.random_setup(Seat.NORTH, rng, start) for _ in range(2)]
    assert repr(setups[0]) == repr(setups[1])


# --- secrecy


def scrambled(rules: Ruleset, position: Position, seat: Seat, seed: int) -> Position:
    """The same position with the ranks that a seat keeps secret dealt among themselves.

    Pieces stay where they are, and marks stay on their squares. What fell unseen changes as well,
    and so does what lies aside.
    """
    rng = random.Random(seed)
    cells = bytearray(position.cells)
    groups: dict[bool, list[int]] = {False: [], True: []}
    for cell, content in enumerate(cells):
        secret = is_piece(content) and owner(content) is seat
        if secret and not (rules.mark == "shown" and content & MARKED):
            groups[bool(content & MARKED)].append(cell)
    for group in groups.values():
        contents = [cells[cell] for cell in group]
        rng.shuffle(contents)
        for cell, content in zip(group, contents, strict=True):
            cells[cell] = content
    memory = position.memory
    if rules.family == "domino":
        # A tile that lies aside changes places with one that stands on the board.
        aside = list(memory[seat])
        for cell in groups[False][:1]:
            standing, aside[0] = aside[0], low_end_first(rules.rank_of(cells[cell]))
            cells[cell] = piece(seat, rules.kinds[standing])
        memory = memory.put(seat, tuple(aside))
    if rules.family == "tactique":
        fallen = ("P?" if text.endswith("?") else text for text in memory[seat])
        memory = memory.put(seat, tuple(fallen))
    return position._replace(cells=bytes(cells), memory=memory, listed=None)


@hidden_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_an_observation_does_not_depend_on_hidden_ranks(
    rules: Ruleset, seed: int, plies: int
) -> None:
    position = some_position(rules, seed, plies)
    for seat in Seat:
        other = scrambled(rules, position, seat.other, seed)
        viewpoints, gallery = Viewpoint.of_seat(seat), Viewpoint.GALLERY
        assert observe(rules, other, viewpoints) == observe(rules, position, viewpoints)
        assert observe(rules, other, gallery) == observe(rules, position, gallery)
        assert board_text(rules, observe(rules, other, viewpoints)) == board_text(
            rules, observe(rules, position, viewpoints)
        )


@hidden_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_refusal_does_not_depend_on_hidden_ranks(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    if position.outcome:
        return
    seat = position.turn
    other = scrambled(rules, position, seat.other, seed)
    assert list(rules.legal_moves(other, seat)) == list(rules.legal_moves(position, seat))
    squares = rules.board.squares
    for source, target in random.Random(seed).sample(list(product(squares, repeat=2)), 100):
        for text in (f"{source}-{target}", f"{source}x{target}"):
            assert _answer(rules, other, seat, text) == _answer(rules, position, seat, text)


def _answer(rules: Ruleset, position: Position, seat: Seat, text: str) -> str:
    try:
        return repr(read_move(rules, position, seat, text))
    except Refusal as refusal:
        return f"{type(refusal).__name__}: {refusal}"


@hidden_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_the_gallery_knows_what_both_players_know(rules: Ruleset, seed: int, plies: int) -> None:
    position = some_position(rules, seed, plies)
    seen = {viewpoint: observe(rules, position, viewpoint) for viewpoint in Viewpoint}
    for square, shown in seen[Viewpoint.GALLERY].pieces.items():
        for viewpoint in (Viewpoint.SOUTH, Viewpoint.NORTH):
            assert shown.rank in (None, seen[viewpoint].pieces[square].rank)
        assert seen[Viewpoint.OPEN].pieces[square].rank is not None
    gallery = seen[Viewpoint.GALLERY]
    assert gallery.moves == ()
    for seat in Seat:
        assert gallery.hand[seat] is None
        assert gallery.aside[seat] is None
        known_ranks = [rank for rank in gallery.fallen[seat] if rank]
        own = list(seen[Viewpoint.of_seat(seat)].fallen[seat])
        assert None not in own
        assert all(own.count(rank) >= known_ranks.count(rank) for rank in known_ranks)
        assert len(own) == len(gallery.fallen[seat])


@hidden_ruleset
@few
@given(seed=seeds)
def test_a_set_up_is_secret_until_the_other_is_sent(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    start = begin(rules, rng)
    for seat in Seat:
        first, second = (
            advance(rules, start, seat, rules.random_setup(seat, rng, start)) for _ in range(2)
        )
        for viewpoint in (Viewpoint.of_seat(seat.other), Viewpoint.GALLERY):
            seen = observe(rules, first[0], viewpoint)
            assert seen.pieces == {}
            assert seen == observe(rules, second[0], viewpoint)
            assert witness(first[1], viewpoint) == witness(second[1], viewpoint)
        own = observe(rules, first[0], Viewpoint.of_seat(seat))
        assert len(own.pieces) == army_size(first[0], seat)
        assert all(piece.rank for piece in own.pieces.values())
        assert own.hand[seat] == ()


# --- records


@playing_ruleset
@few
@given(seed=seeds, plies=lengths)
def test_a_record_round_trips_and_plays_through(rules: Ruleset, seed: int, plies: int) -> None:
    record, position = recorded(rules, seed, plies)
    assert read_record(write_record(record)) == record
    assert check(rules, record)[:6] == position[:6]


@every_ruleset
def test_a_text_that_is_no_set_up_is_refused(rules: Ruleset) -> None:
    seat = rules.seats_setting_up[0]
    for text in ("", "/", "x" * 500, "10/10/10/10", "🎲/🎲/🎲", "12345678" * 3):
        faults = rules.check_setup(seat, text)
        assert faults
        for fault in faults:
            assert isinstance(fault, BadSetup)
            assert_sentence(fault)
        with pytest.raises(BadSetup):
            read_setup(rules, seat, text)


@playing_ruleset
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_is_a_move_or_a_refusal(rules: Ruleset, text: str) -> None:
    position = opened(rules, 7)
    try:
        move = read_move(rules, position, position.turn, text)
    except Refusal as refusal:
        assert_sentence(refusal)
    else:
        assert rules.is_legal(position, position.turn, move)


@playing_ruleset
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_is_a_position_or_a_refusal(rules: Ruleset, text: str) -> None:
    try:
        read_position(rules, text)
    except Refusal as refusal:
        assert_sentence(refusal)


@every_ruleset
def test_a_set_up_in_the_middle_of_a_game_is_refused(rules: Ruleset) -> None:
    position = opened(rules, 3)
    setup = Setup(position.turn, bytes(rules.board.size))
    with pytest.raises(IllegalMove):
        advance(rules, position, position.turn, setup)


@every_ruleset
def test_equal_options_share_one_ruleset(rules: Ruleset) -> None:
    assert ruleset(rules.key) is rules
    assert ruleset(rules.key, dict(rules.options)) is rules
    assert ruleset(rules.key, {"limit": 7}) is ruleset(rules.key, {"limit": 7})
    assert ruleset(rules.key, {"limit": 7}).options["limit"] == 7
