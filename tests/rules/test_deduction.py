"""What follows for a piece from all others, against readings that try every assignment."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import MARKED, Rank, Seat, is_piece, owner
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import begin
from games.rules.core.knowledge.deduction import ArmyKnowledge
from games.rules.core.knowledge.dossier import Dossier, present_ranks
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.knowledge.rank_assignment import excluded_ranks
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.state.tracked_pieces import DEDUCED, Shot, TrackedPiece, Why
from games.rules.core.text.notation import annotate, read_position, remarks
from games.rules.registry import editions, ruleset
from tests import tiers
from tests.floors import at_least
from tests.rules.exact_knowledge import SecondReading, random_moves, small, small_board
from tests.rules.test_dossier import RULES, WatchedMatch, dossier_after

HIDDEN = [rules.key for rules in editions() if rules.hidden]
OPTIONS: list[tuple[str, dict[str, bool | str]]] = [
    *((key, {}) for key in HIDDEN),
    ("tactique", {"archer_los": True, "volley_first": False}),
    ("tactique", {"multi_hit": "once"}),
    ("tactique", {"volley_flag": True}),
]
FAST_OPTIONS: list[tuple[str, dict[str, bool | str]]] = [("lattaque-zh", {}), ("domino", {})]
FAST = ("tactique-convert",)  # of whole matches
LENGTHS = (0, 8, 20)  # plies of the matches with small armies


def watched_match(
    rules: Ruleset, start: Position, moves: Sequence[Move], seat: Seat
) -> WatchedMatch:
    """A match as a seat sees it, from its first board on."""
    position, opening = _opened(rules, start, seat)
    match = WatchedMatch(rules, seat, position, opening, truth=position)
    for move in moves:
        turn = position.turn
        position, events = rules.apply(position, turn, move)
        match.turns.append((turn, annotate(rules, move, witness(events, Viewpoint.of_seat(seat)))))
        match.truth = position
    return match


def _opened(rules: Ruleset, start: Position, seat: Seat) -> tuple[Position, str]:
    if not rules.volleys:
        return start, ""
    position, events = rules.volleys.before_first_move(start)
    return position, remarks(witness(events, Viewpoint.of_seat(seat)))


def enemy_pieces(dossier: Dossier) -> list[TrackedPiece]:
    """All pieces that the other side began with."""
    pieces = [*dossier.pieces.values(), *dossier.gone]
    return [one for one in pieces if one.raised_by is not dossier.seat]


def is_clear(shot: Shot, pieces: Sequence[TrackedPiece]) -> bool:
    """Whether it is known which of the suspects shot."""
    suspects = [one for one in pieces if one.start in shot.suspects and "A" in one.lines]
    unsure = [one for one in suspects if len(one.lines) > 1]
    return not unsure or (shot.least <= len(suspects) - len(unsure) and shot.most >= len(suspects))


@pytest.mark.parametrize(("key", "options"), tiers.parameters(OPTIONS, fast=FAST_OPTIONS), ids=str)
def test_possible_ranks_are_those_of_the_armies_that_could_have_played_the_match(
    key: str, options: dict[str, bool | str]
) -> None:
    rules = small(key, **options)
    equal = 0
    for seed, plies in enumerate(LENGTHS):
        rng = Random(seed)
        start = small_board(rules, rng)
        first, _ = _opened(rules, start, Seat.SOUTH)
        if first.outcome:
            continue
        moves = random_moves(rules, first, rng, plies)
        for seat in Seat:
            exact = SecondReading(rules, start, moves, seat).possible()
            match = watched_match(rules, start, moves, seat)
            shots = match.tracker().shots
            pieces = enemy_pieces(match.dossier())
            ranks_by_square = {rules.board.names[one.start]: {*one.lines} for one in pieces}
            assert ranks_by_square.keys() == exact.keys()
            if all(is_clear(shot, pieces) for shot in shots):
                assert ranks_by_square == exact
                equal += 1
            for square in ranks_by_square:
                assert exact[square] <= ranks_by_square[square]
    assert equal >= len(LENGTHS)


# --- whole matches

PLIES = 500
LOOKS = (0, 60, 160, 300, 500)  # plies after which both seats look


def slow_reading(match: WatchedMatch) -> dict[int, set[Rank]]:
    """The possible ranks of the enemy's pieces by first cell: one matching for each question.

    What each piece by itself may be is taken from the tracker.
    """
    assert match.truth
    rules, tracker = match.rules, match.tracker()
    tracker.reconcile(observe(rules, match.truth, Viewpoint.of_seat(match.seat)))
    sets: dict[int, set[Rank]] = {}
    for one in tracker.pieces:
        if one.raised_by is not match.seat:
            sets[one.start] = {*one.lines}
            if one.fell is not None and len(one.lines) > 1:
                sets[one.start] -= {*rules.vital}
    men = [troop.rank for troop in rules.army for _ in range(troop.number)]
    while True:
        before = {start: {*ranks} for start, ranks in sets.items()}
        for shot in tracker.shots:
            able = [start for start in shot.suspects if "A" in sets[start]]
            sure = [start for start in able if sets[start] == {"A"}]
            for start in able if len(able) == shot.least else ():
                sets[start] = {"A"}
            for start in able if len(sure) == shot.most else ():
                if start not in sure:
                    sets[start] -= {"A"}
        for others in _separate_from_all_archers(tracker.shots, sets, men.count("A")):
            for start in others:
                sets[start] -= {"A"}
        sets = _matched(rules, sets, men)
        if sets == before:
            return sets


def _separate_from_all_archers(
    shots: Sequence[Shot], sets: dict[int, set[Rank]], number: int
) -> Iterator[set[int]]:
    """The pieces outside hits that have no suspects in common and account for all archers."""
    sure = {start for start, ranks in sets.items() if ranks == {"A"}}
    able = {start for start, ranks in sets.items() if "A" in ranks} - sure

    def choose(rest: Sequence[Shot], free: set[int], wanted: int) -> Iterator[set[int]]:
        if wanted == 0:
            yield free
        for place, shot in enumerate(rest):
            suspects = able & {*shot.suspects}
            missing = shot.least - len(sure & {*shot.suspects})
            if 0 < missing <= wanted and suspects <= free:
                yield from choose(rest[place + 1 :], free - suspects, wanted - missing)

    if number > len(sure):
        yield from choose(shots, able, number - len(sure))


def _matched(rules: Ruleset, sets: dict[int, set[Rank]], men: list[Rank]) -> dict[int, set[Rank]]:
    """The ranks that each piece has in some matching of all men to all pieces."""
    owners: list[set[Rank]] = list(sets.values())
    always = rules.deal.always if rules.deal else ()
    owners += [{*men} - {*always}] * (len(men) - len(owners))
    possible: list[set[Rank]] = [set() for _ in owners]
    for fixed, ranks in enumerate(owners):
        for rank in ranks - possible[fixed]:
            given = [*owners]
            given[fixed] = {rank}
            holder: dict[int, int] = {}  # of each man
            if all(_place(each, given, men, holder, set()) for each in range(len(given))):
                for man, each in holder.items():
                    possible[each].add(men[man])
    return dict(zip(sets, possible, strict=False))


def _place(
    each: int, owners: list[set[Rank]], men: list[Rank], holder: dict[int, int], tried: set[int]
) -> bool:
    for man, rank in enumerate(men):
        if rank in owners[each] and man not in tried:
            tried.add(man)
            if man not in holder or _place(holder[man], owners, men, holder, tried):
                holder[man] = each
                return True
    return False


def true_pieces_on_board(match: WatchedMatch) -> Counter[Rank]:
    """The true pieces of the other side on the board, by the ranks of an army's counts."""
    assert match.truth
    rules, counts = match.rules, Counter[Rank]()
    for content in match.truth.cells:
        if is_piece(content) and owner(content) is match.seat.other:
            rank, marked = rules.rank_of(content), bool(content & MARKED)
            demoted = marked and rules.mark == "demoted"
            counts[
                rank + rules.mark_sign if demoted else rules.enlisted_as(rank, marked=False)
            ] += 1
    return counts


def looks(rules: Ruleset, seed: int) -> Iterator[tuple[WatchedMatch, Position]]:
    """A long match as both seats see it after some plies, with its first board."""
    rng = Random(seed)
    start = begin(rules, rng)
    for seat in start.awaited:
        start = rules.deploy(start, rules.random_setup(seat, rng, start))
    first, _ = _opened(rules, start, Seat.SOUTH)
    if first.outcome:
        return
    moves = random_moves(rules, first, rng, PLIES)
    for plies in sorted({min(plies, len(moves)) for plies in LOOKS}):
        for seat in Seat:
            yield watched_match(rules, start, moves[:plies], seat), start


@pytest.mark.parametrize(
    "rules",
    tiers.parameters(RULES, fast=[each for each in RULES if each.key in FAST]),
    ids=lambda rules: rules.key,
)
def test_possible_ranks_are_exact_over_whole_matches(rules: Ruleset) -> None:
    deduced = 0
    # Matches of Tactique are short, and their volleys make them differ more.
    seeds = range(4 if rules.volleys else 1)
    for match, start in at_least(6, (each for seed in seeds for each in looks(rules, seed))):
        exact = slow_reading(match)
        dossier = match.dossier()
        for count in dossier.counts[match.seat.other]:
            assert count.standing <= true_pieces_on_board(match)[count.rank] <= count.out
        for one in enemy_pieces(dossier):
            truth = rules.enlisted_as(rules.rank_of(start.cells[one.start]), marked=False)
            assert truth in one.lines
            assert {*one.lines} == exact[one.start]
            deduced += any(reason.why in DEDUCED for reason in one.reasons)
    assert deduced or not rules.hidden


# --- single conclusions

FEW = small("lattaque-en")  # M K E R B B F
TILES = small("domino")  # 0-0 6-6 0-5 1-3 2-2 4-6, of which one is not dealt
QUIET = ruleset("tactique", {"volley_first": False})


def reasons_of(one: TrackedPiece) -> list[tuple[Why, str]]:
    return [(reason.why, "".join(reason.ruled_out)) for reason in one.reasons]


def deduced(rules: Ruleset, *sets: str | tuple[Rank, ...]) -> list[TrackedPiece]:
    """Pieces on the first cells of the board, with what follows if these are their ranks."""
    pieces = [
        TrackedPiece(Seat.NORTH, Seat.NORTH, cell, cell, tuple(ranks))
        for cell, ranks in enumerate(sets)
    ]
    ArmyKnowledge(rules, pieces, (), (), 9).deduce(is_over=False)
    return pieces


def test_pieces_that_have_not_moved_are_bombs_or_the_flag_once_all_mobile_ones_have() -> None:
    board = "bfb1kerm2/10/10/3M6/2~~2~~2/2~~2~~2/10/10/10/F9 S 0 0"
    steps = ["d7-e7", "e10-e9", "e7-d7", "f10-f9", "d7-e7", "g10-g9", "e7-d7"]
    assert dossier_after(FEW, board, *steps).pieces["a10"].lines == tuple("MKERBF")
    enemies = dossier_after(FEW, board, *steps, "h10-h9").enemies()
    for square in at_least(3, ("a10", "b10", "c10")):
        assert enemies[square].lines == ("B", "F")
        assert reasons_of(enemies[square])[-1] == (Why.MOVERS, "MKER")
    assert enemies["e9"].lines == tuple("MKER")


def test_the_flag_is_certain_once_both_bombs_were_seen_and_all_others_have_moved() -> None:
    board = "bfb1kerm2/K1M7/10/3E6/2~~2~~2/2~~2~~2/10/10/10/F9 S 0 0"
    steps = ["a9xa10[KvB]-", "e10-e9", "c9xc10[MvB]-", "f10-f9", "d7-e7", "g10-g9", "e7-d7"]
    assert dossier_after(FEW, board, *steps).pieces["b10"].lines == tuple("MKERF")
    dossier = dossier_after(FEW, board, *steps, "h10-h9")
    flag = dossier.pieces["b10"]
    assert (flag.lines, flag.rank) == (("F",), "F")
    assert reasons_of(flag)[-1] == (Why.MOVERS, "MKER")
    counts = {count.rank: count for count in dossier.counts[Seat.NORTH]}
    assert (counts["F"].standing, counts["F"].hidden) == (1, 0)


def test_pieces_that_share_some_ranks_are_named_if_they_are_few() -> None:
    *_, one, other = deduced(FEW, "M", "K", "ER", "ER", "MKERBF", "MKERBF", "MKERBF")
    assert one.lines == other.lines == ("B", "F")
    assert reasons_of(one) == [(Why.COUNTED, "MK"), (Why.SHARED, "ER")]
    assert one.reasons[-1].cells == (2, 3)


def test_many_pieces_that_share_some_ranks_are_one_reason() -> None:
    one = deduced(FEW, "MKER", "MKER", "MKER", "MKER", "MKERBF", "MKERBF", "MKERBF")[-1]
    assert reasons_of(one) == [(Why.REST, "MKER")]
    one = deduced(FEW, "BF", "BF", "BF", *["MKERBF"] * 4)[-1]
    assert one.lines == tuple("MKER")
    assert [(each.why, each.cells) for each in one.reasons] == [(Why.SHARED, (0, 1, 2))]


def test_the_last_unknown_tile_is_the_six_six_which_is_in_every_army() -> None:
    known = [("00",), ("05",), ("13",), ("22",)]
    last = deduced(TILES, *known, ("46", "66"))[-1]
    assert (last.lines, last.rank) == (("66",), "66")
    assert [reason.why for reason in last.reasons] == [Why.UNDEALT]
    two = deduced(TILES, *known[1:], ("00", "46", "66"), ("00", "46", "66"))
    assert [one.lines for one in two[-2:]] == [("00", "66")] * 2


def test_contradictory_sets_stay_unchanged() -> None:
    sets = ["BF"] * 4 + ["MKER"] * 3
    assert ["".join(one.lines) for one in deduced(FEW, *sets)] == sets
    assert excluded_ranks({0b01: 2, 0b11: 1}, [1, 2]) is None


def test_ranks_are_exchanged_so_that_every_piece_gets_one() -> None:
    groups = {0b0110: 1, 0b0011: 1, 0b1001: 1, 0b1100: 1}
    assert excluded_ranks(groups, [1, 1, 1, 1]) == {}
    assert excluded_ranks({0b011: 2, 0b101: 1, 0b111: 2}, [1, 2, 2]) == {}
    excluded = excluded_ranks({0b011: 2, 0b110: 1, 0b111: 1}, [1, 1, 2])
    assert excluded == {0b110: {1: 0b011}, 0b111: {0: 0b011, 1: 0b011}}


def test_an_earlier_volley_is_re_evaluated_once_a_suspect_is_known() -> None:
    board = "f7/8/8/1a1p4/8/8/2I4I/F7 S 0 0"
    before = dossier_after(QUIET, board, "c2-c4")
    assert before.pieces["b5"].lines == before.pieces["d5"].lines == tuple("CVPIAF")
    piece = dossier_after(QUIET, board, "c2-c4", "d5-d4xc4[PvW']+").pieces["b5"]
    assert (piece.rank, reasons_of(piece)) == ("A", [(Why.SHOT, "CVPIF")])
    assert piece.reasons[0].turn == 1
    assert QUIET.board.names[piece.reasons[0].cells[0]] == "c4"


def test_a_piece_that_was_demoted_once_was_shot_by_exactly_one_archer() -> None:
    board = "f6i/8/8/1a1p4/8/8/I1I4I/F7 S 0 0"
    enemies = dossier_after(QUIET, board, "c2-c4", "h8-h7", "a2-a4").enemies()
    assert enemies["b5"].rank == "A"
    assert reasons_of(enemies["d5"])[-1] == (Why.OTHERS_SHOT, "A")
    assert enemies["d5"].reasons[-1].turn == 1
    once = QUIET.with_options({"multi_hit": "once"})
    assert "A" in dossier_after(once, board, "c2-c4", "h8-h7", "a2-a4").pieces["d5"].lines


def test_hits_that_need_all_archers_leave_none_to_other_pieces() -> None:
    rules = small("tactique", volley_first=False)  # of the archers there are two
    board = "f6i/8/8/1a1p2a1/8/8/2I4I/F7 S 0 0"
    before = dossier_after(rules, board, "c2-c4", "h8-h7").pieces["a8"]
    assert "A" in before.lines
    enemies = dossier_after(rules, board, "c2-c4", "h8-h7", "h2-h4").enemies()
    assert enemies["g5"].rank == "A"
    assert "A" in enemies["b5"].lines and "A" in enemies["d5"].lines
    for square in ("a8", "h7"):
        assert reasons_of(enemies[square])[-1] == (Why.SHARED, "A")
        assert [rules.board.names[at] for at in enemies[square].reasons[-1].cells] == ["b5", "d5"]


def test_a_piece_that_two_arrows_removed_was_not_the_flag() -> None:
    board = "f7/8/4p3/8/3p4/4A3/3A3I/F7 N 0 0"
    for rules in (QUIET, QUIET.with_options({"volley_flag": True})):
        dossier = dossier_after(rules, board, "e6-e5")
        assert [one.lines for one in dossier.gone] == [tuple("CVPIA")]
        assert dossier.unnamed == (0, 1)
    assert dossier.pieces["e5"].lines == tuple("CVPI")


def test_a_demoted_piece_is_counted_under_its_current_rank() -> None:
    board = "f7/8/4p3/8/8/4A3/7I/F7 N 0 0"
    dossier = dossier_after(QUIET, board, "e6-e5")
    assert present_ranks(QUIET, dossier.pieces["e5"]) == ("V'", "P'", "I'", "W'")
    counts = {count.rank: (count.raised, count.out) for count in dossier.counts[Seat.NORTH]}
    # The piece on a8 may be any; the one on e5 may be any that is demoted.
    assert counts == {
        **dict(zip("CVPIAF", [(2, 1), (4, 1), (8, 1), (8, 1), (4, 1), (1, 1)], strict=True)),
        **dict.fromkeys(("V'", "P'", "I'", "W'"), (0, 1)),
    }
    seen = dossier_after(QUIET, "f7/8/8/3p4/3C4/8/7I/F7 S 0 0", "d4xd5[CvP]+d")
    assert present_ranks(QUIET, seen.pieces["d5"]) == ("I'",)
    counts = {count.rank: (count.standing, count.out) for count in seen.counts[Seat.NORTH]}
    assert (counts["P"], counts["I"], counts["I'"]) == ((0, 1), (0, 1), (1, 1))


def test_a_stored_tracker_keeps_ambiguous_hits() -> None:
    position = read_position(QUIET, "f7/8/8/1a1p4/8/8/2I4I/F7 S 0 0")
    tracker = Tracker.begin(QUIET, observe(QUIET, position, Viewpoint.SOUTH))
    tracker.add_turn(Seat.SOUTH, "c2-c4 ~c4")
    (shot,) = tracker.shots
    assert (shot.turn, shot.least, shot.most, len(shot.suspects)) == (1, 1, 1, 2)
    state = json.loads(json.dumps(tracker.dump()))
    assert Tracker.restore(QUIET, Seat.SOUTH, state).shots == tracker.shots
