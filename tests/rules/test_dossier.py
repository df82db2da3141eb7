"""Dossiers and the tracker: what one seat knows of each piece, and why."""

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from games.rules.core.basics.pieces import MARKED, Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.knowledge.dossier import Dossier, dossier
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.state.tracked_pieces import TrackedPiece, Why
from games.rules.core.text.notation import annotate, read_move, read_position, remarks
from games.rules.registry import editions, ruleset
from tests import tiers
from tests.floors import at_least
from tests.secrecy import games

SWITCHED = [
    ruleset("tactique", {"archer_los": True, "multi_hit": "once", "volley_first": False}),
    ruleset("tactique-volley-all", {"volley_flag": True, "convert": True}),
    ruleset("lattaque-en", {"no_back": "R", "spy_both": True}),
]
RULES = [*editions(), *SWITCHED]


@dataclass
class WatchedMatch:
    """A match as one seat sees it: first board, opening volley, turns, last observation.

    `truth` is for the test alone.
    """

    rules: Ruleset
    seat: Seat
    first: Position
    opening: str = ""
    turns: list[tuple[Seat, str]] = field(default_factory=list)
    truth: Position | None = None

    def tracker(self) -> Tracker:
        first = observe(self.rules, self.first, Viewpoint.of_seat(self.seat))
        tracker = Tracker.begin(self.rules, first, self.opening)
        for seat, text in self.turns:
            tracker.add_turn(seat, text)
        return tracker

    def dossier(self) -> Dossier:
        assert self.truth is not None
        return dossier(
            self.tracker(), observe(self.rules, self.truth, Viewpoint.of_seat(self.seat))
        )


def watch(game: games.Game, seat: Seat, plies: int) -> WatchedMatch:
    """The first plies of a random game as a seat has them."""
    rules = game.rules
    position, _ = games.stand(game)
    match = WatchedMatch(rules, seat, position, game.public_texts[0], truth=position)
    for move in game.moves[:plies]:
        turn = position.turn
        position, events = advance(rules, position, turn, move)
        text = annotate(rules, move, witness(events, Viewpoint.of_seat(seat)))
        match.turns.append((turn, text))
        match.truth = position
    return match


def true_ranks(match: WatchedMatch) -> dict[str, tuple[Rank, bool]]:
    """The true rank of each piece, and whether it is marked."""
    assert match.truth is not None
    names = match.rules.board.names
    return {
        names[cell]: (match.rules.rank_of(content), bool(content & MARKED))
        for cell, content in enumerate(match.truth.cells)
        if names[cell] and content & 0x3F not in (0, 0x3F)
    }


def simple(one: TrackedPiece) -> list[object]:
    return [*one.dump()]


@tiers.each_ruleset(RULES)
def test_the_true_rank_is_always_possible_and_known_ranks_are_true(
    rules: Ruleset,
) -> None:
    known = 0
    for seed in range(3):
        game = games.random_game(rules, Random(seed), 160)
        for plies in (0, 1, 60, len(game.moves)):
            for seat in Seat:
                match = watch(game, seat, plies)
                there = true_ranks(match)
                dossier_read = match.dossier()
                assert set(dossier_read.pieces) == set(there)
                for square, one in dossier_read.pieces.items():
                    rank, marked = there[square]
                    demoted = marked and rules.mark == "demoted"
                    assert rules.enlisted_as(rank, marked=demoted) in one.lines, square
                    assert one.rank in (None, rank)
                    known += one.rank is not None and one.seat is not seat
    assert known


SOME_HIDDEN = tiers.parameters(
    (rules for rules in RULES if rules.hidden),
    fast=[rules for rules in RULES if rules.hidden and rules.key in tiers.REPRESENTATIVES],
)


@pytest.mark.long
@pytest.mark.parametrize("rules", SOME_HIDDEN, ids=lambda rules: rules.key)
def test_hidden_facts_never_change_a_dossier(rules: Ruleset) -> None:
    changed = 0
    for seed in range(4):
        rng = Random(seed)
        game = games.random_game(rules, rng, 60)
        for victim in Seat:
            twin = games.twin(game, victim, rng)
            if twin is None:
                continue
            changed += twin.armies != game.armies
            for plies in (0, 20, len(game.moves)):
                one = watch(game, victim.other, plies).dossier()
                other = watch(twin, victim.other, plies).dossier()
                assert repr_of(one) == repr_of(other)
    assert changed > 2


def repr_of(known: Dossier) -> str:
    """Everything in a dossier, as text."""
    return json.dumps(
        [
            {square: simple(one) for square, one in known.pieces.items()},
            [simple(one) for one in known.gone],
            known.counts,
            known.unnamed,
        ]
    )


@tiers.each_ruleset(RULES)
def test_a_restored_tracker_continues_like_the_original(rules: Ruleset) -> None:
    game = games.random_game(rules, Random(5), 80)
    match = watch(game, Seat.NORTH, 80)
    first = observe(rules, match.first, Viewpoint.NORTH)
    tracker = Tracker.begin(rules, first, match.opening)
    for seat, text in match.turns:
        tracker = Tracker.restore(rules, Seat.NORTH, json.loads(json.dumps(tracker.dump())))
        tracker.add_turn(seat, text)
    assert json.dumps(tracker.dump()) == json.dumps(match.tracker().dump())


@tiers.each_ruleset(RULES)
def test_the_counts_of_the_own_side_are_true(rules: Ruleset) -> None:
    game = games.random_game(rules, Random(9), 120)
    for seat in Seat:
        match = watch(game, seat, 120)
        for count in at_least(1, match.dossier().counts[seat]):
            assert count.hidden == 0 or not rules.hidden


def test_own_pieces_removed_before_the_first_move_are_named() -> None:
    rules = ruleset("tactique-volley-all")
    different = 0
    for seed in range(60):
        game = games.random_game(rules, Random(seed), 0)
        for seat in Seat:
            match = watch(game, seat, 0)
            assert match.truth
            lost = [rank for rank, _known in rules.fallen(match.truth, seat)]
            known = match.dossier()
            assert known.unnamed[seat] == 0
            fallen = Counter(one.lines[0] for one in known.gone if one.raised_by is seat)
            assert fallen == Counter(lost)
            different += len(set(lost)) > 1
    assert different


# --- single inferences

ENGLISH = ruleset("lattaque-en")
SPARSE = "f3b5/10/10/r9/2~~2~~2/2~~2~~2/4K5/10/9M/F3B5 S 0 0"


def dossier_after(rules: Ruleset, text: str, *moves: str, seat: Seat = Seat.SOUTH) -> Dossier:
    """The dossier of a seat after some moves on a made-up board."""
    position = read_position(rules, text)
    match = WatchedMatch(rules, seat, position)
    for move in moves:
        turn = position.turn
        position, events = advance(rules, position, turn, read_move(rules, position, turn, move))
        sightings = witness(events, Viewpoint.of_seat(seat))
        match.turns.append((turn, move.split("[")[0] + remarks(sightings)))
    match.truth = position
    return match.dossier()


def test_a_piece_that_has_moved_is_neither_a_bomb_nor_the_flag() -> None:
    piece = dossier_after(ENGLISH, SPARSE, "e4-e5", "a7-a6").pieces["a6"]
    assert [(reason.why, reason.ruled_out) for reason in piece.reasons] == [(Why.MOVED, ("B", "F"))]
    assert piece.lines == tuple("MGCJKLSERY")
    assert [(turn, ENGLISH.board.names[cell]) for turn, cell in piece.path] == [(2, "a6")]


def test_a_piece_that_moved_far_is_a_scout() -> None:
    piece = dossier_after(ENGLISH, SPARSE, "e4-e5", "a7-a4").pieces["a4"]
    assert piece.rank == "R"
    assert [reason.why for reason in piece.reasons] == [Why.MOVED, Why.WENT]
    assert piece.squares_gone(ENGLISH.board.stride) == 3


def test_a_winner_that_returns_counts_as_moved() -> None:
    back = ruleset("lattaque-zh-return")
    known = dossier_after(
        back,
        SPARSE.replace("r9", "4g5")
        .replace("2~~2~~2/4K5", "2~~2~~2/10")
        .replace("2~~2~~2/2~~2~~2", "2~~K1~~2/2~~2~~2"),
        "j2-j3",
        "e7xe6[GvK]+",
    ).pieces["e7"]
    assert (known.moved, known.path, known.rank) == (True, [], "G")


def test_a_piece_seen_in_battle_is_followed_after_it_is_hidden_again() -> None:
    board = SPARSE.replace("r9", "4g5").replace("/4K5/", "/10/").replace("2~~2~~2/2", "2~~K1~~2/2")
    known = dossier_after(ENGLISH, board, "e6xe7[KvG]-", "e7-e6", "j2-j3", "e6-e5")
    general = known.enemies()["e5"]
    assert general.rank == "G"
    fight = general.last_fight
    assert fight and (fight.turn, fight.attacked, fight.other, fight.result) == (
        1,
        False,
        "K",
        "won",
    )
    assert not any("G" in one.lines for at, one in known.enemies().items() if at != "e5")
    assert any(
        reason.why is Why.COUNTED and reason.ruled_out == ("G",)
        for reason in known.pieces["a10"].reasons
    )
    captain = next(one for one in known.gone)
    assert captain.seat is Seat.SOUTH and captain.fell == 1
    counts = {count.rank: count for count in known.counts[Seat.NORTH]}
    assert (counts["G"].standing, counts["G"].hidden, counts["C"].hidden) == (1, 0, 2)


QUIET = ruleset("tactique", {"volley_first": False})


def test_pieces_that_do_not_shoot_are_no_archers() -> None:
    known = dossier_after(QUIET, "f7/8/8/1p6/8/8/2I4I/F7 S 0 0", "c2-c4")
    assert "A" not in known.pieces["b5"].lines
    reason = known.pieces["b5"].reasons[0]
    assert (reason.why, reason.ruled_out) == (Why.HELD_FIRE, ("A",))
    assert QUIET.board.names[reason.cells[0]] == "c4"


def test_the_only_piece_that_can_have_shot_is_an_archer() -> None:
    known = dossier_after(QUIET, "f7/8/8/1a3p2/8/8/2I4I/F7 S 0 0", "c2-c4")
    assert known.pieces["c4"].marked
    assert known.pieces["c4"].hits == [1]
    assert known.pieces["b5"].rank == "A"
    assert known.pieces["b5"].reasons[0].why is Why.SHOT
    assert "A" in known.pieces["f5"].lines
    two = dossier_after(QUIET, "f7/8/8/1a1p4/8/8/2I4I/F7 S 0 0", "c2-c4")
    assert "A" in two.pieces["b5"].lines and "A" in two.pieces["d5"].lines


def test_a_piece_spared_by_archers_is_the_flag_and_one_removed_by_one_arrow_an_archer() -> None:
    board = "8/8/4p3/1f1a4/8/1p5p/2A4I/F7 N 0 0"
    known = dossier_after(QUIET, board, "e6-e5")
    assert {at: one.lines for at, one in known.enemies().items()} == {
        "b5": tuple("CVPIAF"),
        "d5": tuple("CVPIAF"),
        "e5": tuple("CVPIA"),
        "b3": tuple("CVPI"),
        "h3": tuple("CVPIAF"),
    }
    near = dossier_after(QUIET, "8/8/4p3/8/1f1a4/7p/2A4I/F7 N 0 0", "e6-e5")
    assert near.pieces["b4"].lines == tuple("CVPIAF")
    reached = dossier_after(QUIET, "8/8/4p3/8/2fa4/7p/2A4I/F7 N 0 0", "e6-e5")
    assert reached.pieces["c4"].rank == "F"
    assert reached.pieces["c4"].reasons[0].why is Why.SPARED
    fallen = dossier_after(QUIET, "f7/8/4p3/8/2a5/7p/2A4I/F7 N 0 0", "e6-e5")
    assert [one.lines for one in fallen.gone] == [("A",)]
    assert fallen.unnamed == (0, 0)


@tiers.each_ruleset(RULES)
def test_the_recorded_path_of_a_piece_is_true(rules: Ruleset) -> None:
    """Read against the true positions, turn by turn, which no tracker ever sees."""
    game = games.random_game(rules, Random(77), 150)
    position, _ = games.stand(game)
    truth = [position]
    for move in game.moves:
        position, _ = rules.apply(position, position.turn, move)
        truth.append(position)
    looked_at = 0
    for seat in Seat:
        for square, one in watch(game, seat, len(game.moves)).dossier().pieces.items():
            line = line_at(rules, truth[-1], rules.board.index[square])
            stops = {0: one.start} | dict(one.path)
            cell = one.start
            for turn, there in enumerate(truth):
                cell = stops.get(turn, cell)
                assert line_at(rules, there, cell) == line, (square, turn)
                looked_at += 1
            assert cell == rules.board.index[square]
            for fight in one.fights:
                assert fight.rank.rstrip("'!") in rules.kinds
                assert fight.result in ("won", "demoted", "demoted-other")
    assert looked_at > 1_000


def line_at(rules: Ruleset, position: Position, cell: int) -> Rank:
    content = position.cells[cell]
    demoted = bool(content & MARKED) and rules.mark == "demoted"
    return rules.enlisted_as(rules.rank_of(content), marked=demoted)
