"""What hidden pieces may be, guesses, and the ranks of those that nobody has guessed."""

from collections import Counter

import pytest

from accounts.models import User
from games.play.commands import matches
from games.play.knowledge import marks
from games.play.knowledge.marks import Mark
from games.play.knowledge.memory import recall
from games.play.models.match import Match
from games.play.practice.hidden_pieces import (
    HiddenArmy,
    assumed_ranks,
    fillers,
    hidden_army,
    possible_ranks,
    standing_rank,
)
from games.play.record import match_view
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.tiers import editions

MET = ("a4xa7", "j7-j6")  # Alice's scout attacks the marshal; a scout of Bob's moves


def army_of(match: Match, user: User) -> HiddenArmy:
    view = match_view.view_match(match.pk, user)
    return hidden_army(view, recall(view))


def assumed_piece(match: Match, user: User, **guesses: str) -> dict[str, str]:
    view = match_view.view_match(match.pk, user)
    known = recall(view)
    assert known
    return assumed_ranks(match.rules, hidden_army(view, known), guesses, known.marks)


def without_aid(who: People) -> Match:
    terms = Terms("lattaque-en", {}, pace="3d", memory_aid=False)
    match = matches.open_match(terms, {Seat.SOUTH: who.alice, Seat.NORTH: who.bob})
    return match_helpers.set_up(match)


def test_seen_pieces_are_certain_with_the_memory_aid(match: Match, alice: User) -> None:
    match_helpers.play(match, *MET)
    army = army_of(match, alice)
    assert army.pieces["a7"].ranks == ("M",)
    assert "M" not in army.pieces["b7"].ranks
    # It has moved.
    assert not {"B", "F"} & {*army.pieces["j6"].ranks}
    assert assumed_piece(match, alice) == {"a7": "M"}
    # A guess cannot overrule it.
    assert assumed_piece(match, alice, a7="G") == {"a7": "M"}


def test_without_the_memory_aid_only_the_board_and_the_fallen_count(
    who: People, alice: User
) -> None:
    match = match_helpers.play(without_aid(who), *MET)
    army = army_of(match, alice)
    assert set(army.pieces["a7"].ranks) == set("MGCJKLSERYBF")
    assert set(army.pieces["j6"].ranks) == set("MGCJKLSERYBF")
    assert army.left["M"] == 1
    assert assumed_piece(match, alice) == {}


def test_a_guess_overrides_a_mark_and_both_stay_with_the_piece(match: Match, alice: User) -> None:
    player = match.players.get(user=alice)
    marks.put(player.pk, "j7", Mark("E"))
    marks.put(player.pk, "h7", Mark("K"))
    assert assumed_piece(match, alice) == {"j7": "E", "h7": "K"}
    match_helpers.play(match, "a4-a5", "j7-j6")
    assert assumed_piece(match, alice) == {"j6": "E", "h7": "K"}
    assert assumed_piece(match, alice, j7="R", h7="") == {"j6": "R"}


def test_marks_that_exceed_the_army_do_not_count(match: Match, alice: User) -> None:
    player = match.players.get(user=alice)
    for square in ("a7", "b7"):
        marks.put(player.pk, square, Mark("M"))
    assert len(assumed_piece(match, alice)) == 1
    assert assumed_piece(match, alice, c7="M") == {"c7": "M"}


def test_a_guess_for_a_piece_that_was_demoted_since_is_one_rank_lower(who: People) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    army = army_of(match, who.alice)
    piece = army.pieces["d6"]
    assert piece.demoted and set(piece.ranks) == {"V", "P", "I", "W"}
    assert standing_rank(match.rules, piece, "C") == "V"
    assert standing_rank(match.rules, piece, "V'") == "V"
    assert standing_rank(match.rules, piece, "A") is None


@pytest.mark.parametrize("preset", editions())
def test_fillers_come_from_the_remaining_pieces(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    rules, army = match.rules, army_of(match, who.alice)
    certain = assumed_ranks(rules, army, {}, {})
    chosen = fillers(rules, army, certain, possible_ranks(rules, army, certain, {}))
    assert set(chosen) == set(army.pieces) - set(certain)
    lines = Counter(
        rules.enlisted_as(rank, marked=army.pieces[at].demoted) for at, rank in chosen.items()
    )
    if rules.volleys is None:
        assert lines <= Counter(dict(army.left))
    else:
        assert rules.volleys.shooter not in lines
    assert all(rank in army.pieces[at].ranks for at, rank in chosen.items())


def test_fillers_do_not_depend_on_the_true_ranks(who: People) -> None:
    north = match_helpers.SETUPS["lattaque-10x10"][Seat.NORTH]
    swapped = str.maketrans("EKSB", "KSBE")
    chosen = []
    for setup in (north, north.translate(swapped)):
        match = match_helpers.set_up(match_helpers.new_match(who), north=setup)
        army = army_of(match, who.alice)
        chosen.append(fillers(match.rules, army, {}, possible_ranks(match.rules, army, {}, {})))
    assert chosen[0] == chosen[1]


def test_a_filler_gives_way_to_a_piece_with_fewer_choices(match: Match, alice: User) -> None:
    army = army_of(match, alice)
    narrowed = {"j7": ("M",)}
    possible = possible_ranks(match.rules, army, {}, narrowed)
    chosen = fillers(match.rules, army, {}, possible)
    assert chosen["j7"] == "M"
    assert [at for at, rank in chosen.items() if rank == "M"] == ["j7"]
