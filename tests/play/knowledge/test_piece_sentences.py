"""Sentences about a piece of the opponent: what it can be, and why."""

from games.play.knowledge.piece_sentences import known_name, names, reasons
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.knowledge.deduction import ArmyKnowledge
from games.rules.core.knowledge.dossier import present_ranks
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import TrackedPiece
from games.rules.registry import ruleset
from tests.rules.exact_knowledge import small
from tests.rules.test_dossier import dossier_after

QUIET = ruleset("tactique", {"volley_first": False})
FEW = small("lattaque-en")  # M K E R B B F


def last_piece_reasons(rules: Ruleset, *sets: str | tuple[Rank, ...], moved: int = 0) -> list[str]:
    """The reasons for the last of some pieces with these ranks, of which the first have moved."""
    pieces = [
        TrackedPiece(Seat.NORTH, Seat.NORTH, cell, cell, tuple(ranks))
        for cell, ranks in enumerate(sets)
    ]
    for one in pieces[:moved]:
        one.path.append((1, one.cell))
    ArmyKnowledge(rules, pieces, (), (), 9).deduce(is_over=False)
    return reasons(rules, pieces[-1])


def test_a_piece_that_is_a_bomb_or_the_flag_says_why() -> None:
    assert last_piece_reasons(FEW, *["MKER"] * 4, *["MKERBF"] * 3, moved=4) == [
        "The pieces that have moved, and those you know, account for everything but: Bomb, Flag."
    ]
    assert last_piece_reasons(FEW, *["MKER"] * 4, *["MKERBF"] * 3) == [
        "The other pieces account for everything but: Bomb, Flag."
    ]
    # Pieces that are known need no sentence of their own then.
    assert last_piece_reasons(FEW, "B", "B", *["MKER"] * 4, "MKERBF", moved=6) == [
        "The pieces that have moved, and those you know, account for everything but: Flag."
    ]


def test_a_few_pieces_that_share_some_ranks_are_named() -> None:
    assert last_piece_reasons(FEW, "M", "ER", "ER", *["MKERBF"] * 4) == [
        "All accounted for by the pieces on b1, c1: Miner, Scout.",
        "All accounted for elsewhere: Marshal.",
    ]
    attaque = ruleset("lattaque-en")
    army = tuple(troop.rank for troop in attaque.army)
    assert last_piece_reasons(attaque, *["BF"] * 5, *[army] * 31) == [
        "All accounted for among other pieces: Bomb, Flag."
    ]


def test_the_last_unknown_tile_says_that_it_is_the_six_six() -> None:
    known = [("00",), ("05",), ("13",), ("22",)]
    assert last_piece_reasons(small("domino"), *known, ("46", "66")) == [
        "The other pieces, and those not dealt, account for everything but: 6-6."
    ]


def test_a_demoted_piece_that_was_never_seen_can_be_one_rank_lower_than_each() -> None:
    piece = dossier_after(QUIET, "f7/8/4p3/8/8/4A3/7I/F7 N 0 0", "e6-e5").pieces["e5"]
    assert names(QUIET, present_ranks(QUIET, piece)) == (
        "demoted Cavalryman, demoted Pikeman, demoted Infantry, Spent Infantry"
    )
    assert reasons(QUIET, piece) == [
        "Before it was demoted: Commander, Cavalryman, Pikeman, Infantry.",
        "Moved from e6 to e5 on move 1, so not: Flag.",
        "Archers demoted it on move 1, so not: Archer.",
    ]


def test_a_piece_that_was_seen_and_then_demoted_says_both() -> None:
    piece = dossier_after(QUIET, "f7/8/8/3p4/3C4/8/7I/F7 S 0 0", "d4xd5[CvP]+d").pieces["d5"]
    assert known_name(QUIET, piece, piece.rank) == "demoted Infantry"
    assert reasons(QUIET, piece) == [
        "You saw it on move 1: Pikeman.",
        "It was demoted on move 1: demoted Infantry.",
    ]


def test_a_piece_that_was_seen_when_it_was_demoted_says_what_it_was_then() -> None:
    board = "f7/8/4p3/8/8/4A3/C7/F7 N 0 0"
    steps = ("e6-e5", "a2-d2", "e5-e6", "d2-d6xe6[CvI']+")
    piece = dossier_after(QUIET, board, *steps).gone[0]
    assert reasons(QUIET, piece) == ["You saw it on move 2: demoted Infantry."]


def test_a_piece_that_did_not_shoot_names_the_volley() -> None:
    board = "f6i/8/8/1a1p4/8/8/I1I4I/F7 S 0 0"
    piece = dossier_after(QUIET, board, "c2-c4", "h8-h7", "a2-a4").pieces["d5"]
    assert reasons(QUIET, piece)[-1] == ("Only other archers shot at c4 on move 1, so not: Archer.")
