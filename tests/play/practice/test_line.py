"""Lines of the practice board, in every edition: every listed move can be made, and made again."""

from itertools import product
from random import Random

import pytest

from games.play.knowledge.memory import recall
from games.play.models.match import Match
from games.play.practice.line import Line, RankAsked, follow, rebuilt
from games.play.practice.practice_board import start_of
from games.play.record import match_view
from games.rules import registry
from games.rules.core.basics.moves import Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import IllegalMove
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text import notation
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.tiers import parameters

PLIES = 25


def begin(match: Match, seat: Seat = Seat.SOUTH, **guesses: str) -> Line:
    """The board of a player's lines, with guesses by the squares on which pieces began."""
    user = match.players.select_related("user").get(seat=seat).user
    view = match_view.view_match(match.pk, user)
    return follow(start_of(view, recall(view), guesses), ())


def go(line: Line, *texts: str) -> Line:
    """More moves; what a piece is said to be follows its move after a blank."""
    for text in texts:
        move, _, taken_for = text.partition(" ")
        line = follow(line.start, (*line.steps, line.step(move, taken_for)))
    return line


def any_step(line: Line, rng: Random) -> Line:
    """The line with a move of those that are listed, attacks more often than others."""
    texts = [notation.write_move(line.rules, move) for move in line.moves]
    attacks = [text for text in texts if "x" in text]
    text = rng.choice(attacks if attacks and rng.random() < 0.4 else texts)
    try:
        step = line.step(text)
    except RankAsked as rank_asked:
        assert len(rank_asked.options) > 1
        step = line.step(text, rng.choice(rank_asked.options))
    return line.extended(step)


@pytest.mark.parametrize(
    ("seat", "preset"),
    parameters(
        product(Seat, [rules.key for rules in registry.editions()]),
        fast=[
            (Seat.SOUTH, "lattaque-zh"),
            (Seat.NORTH, "domino"),
            (Seat.SOUTH, "tactique-convert"),
            (Seat.NORTH, "assaut"),
        ],
    ),
)
def test_every_listed_move_can_be_made_and_a_line_is_rebuilt_from_its_steps(
    who: People, preset: str, seat: Seat
) -> None:
    match = match_helpers.running_match(who, preset=preset)
    made = 0
    for seed in range(3):
        rng = Random(f"{preset}/{seed}")
        line = begin(match, seat)
        for _ in range(PLIES):
            if line.is_over:
                break
            longer = any_step(line, rng)
            # Made from its beginning, with all that is said about hidden pieces.
            line = follow(line.start, longer.steps)
            assert line.steps == longer.steps
            assert line.where == longer.where
            made += 1
        assert rebuilt(line.start, line.steps).steps == line.steps
    at_least(20, range(made))


def test_a_piece_without_a_guess_moves_as_any_possible_rank(match: Match) -> None:
    line = go(begin(match), "a4-a5")
    moves = {notation.write_move(line.rules, move) for move in line.moves}
    # It may be a scout; the bombs behind it may be anything that moves as well.
    assert {"j7-j6", "j7-j5", "i7-i6", "i7-i5"} <= moves
    assert go(line, "i7-i6").open_pieces["i6"] == "i7"


def test_a_step_leaves_only_the_ranks_that_could_make_it(match: Match) -> None:
    line = go(begin(match), "a4-a5", "j7-j6")
    assert set(line.possible["j7"]) == {*line.possible["h7"]} - {"B", "F"}
    assert "j7" not in line.ranks


def test_a_step_that_only_one_rank_can_make_becomes_the_guess(match: Match) -> None:
    line = go(begin(match), "a4-a5", "j7-j5")
    assert line.ranks["j7"] == "R"
    # It is removed with the move that revealed it.
    assert "j7" not in follow(line.start, line.steps[:1]).ranks


def test_a_guess_binds_the_piece(match: Match) -> None:
    with pytest.raises(IllegalMove, match="The Bomb on j7 cannot move"):
        go(begin(match, j7="B"), "a4-a5", "j7-j6")
    with pytest.raises(IllegalMove, match="j5"):
        go(begin(match, j7="M"), "a4-a5", "j7-j5")


def test_a_step_that_no_rank_can_make_is_refused_without_naming_one(match: Match) -> None:
    with pytest.raises(IllegalMove, match="Whatever the piece on j7 may be"):
        go(begin(match), "a4-a5", "j7-h5")


def test_a_piece_of_the_other_side_is_refused_by_naming_whose_turn_it_is(match: Match) -> None:
    line = begin(match)
    waiting = next(at for at, seen in line.start.seen.pieces.items() if seen.seat is not line.turn)
    for text in (f"{waiting}-a5", f"{waiting}xa5"):
        with pytest.raises(IllegalMove, match="the other side's turn"):
            line.step(text)


def test_a_battle_asks_for_the_rank_of_the_hidden_piece(match: Match) -> None:
    with pytest.raises(RankAsked) as rank_asked:
        begin(match).step("a4xa7")
    assert (rank_asked.value.square, rank_asked.value.move) == ("a7", "a4xa7")
    assert set(rank_asked.value.options) == set("MGCJKLSERYBF")
    for rank, result in (("M", "-"), ("R", "="), ("Y", "+"), ("F", "#")):
        line = go(begin(match), f"a4xa7 {rank}")
        assert line.steps[-1].text == f"a4xa7[Rv{rank}]{result}"
        assert line.is_over == (rank == "F")
    # What is guessed is not asked.
    assert go(begin(match, a7="M"), "a4xa7").steps[-1].text == "a4xa7[RvM]-"


def test_an_attacker_can_only_have_a_rank_that_could_attack_so(match: Match) -> None:
    line = go(begin(match), "a4-a6", "a7xa6 M")
    assert line.steps[-1].text == "a7xa6[MvR]+"
    with pytest.raises(RankAsked) as rank_asked:
        go(begin(match), "a4-a6").step("a7xa6", "B")
    assert not {"B", "F"} & set(rank_asked.value.options)


def test_pieces_of_a_rank_fight_at_most_as_often_as_the_army_has_them(match: Match) -> None:
    line = go(begin(match), "a4xa7 M", "j7-j6")
    with pytest.raises(RankAsked) as rank_asked:
        line.step("b4xb7")
    assert "M" not in rank_asked.value.options and "G" in rank_asked.value.options


def test_a_piece_without_a_guess_never_shoots(who: People) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    hit: list[str] = []
    for seed in range(4):
        rng, line = Random(seed), begin(match)
        for _ in range(PLIES):
            quiet = [move for move in line.moves if isinstance(move, Walk)]
            move = rng.choice(quiet)
            names = line.rules.board.names
            seen = observe(line.rules, line.position, Viewpoint.SOUTH).pieces
            own = {square for square, one in seen.items() if one.seat is Seat.SOUTH}
            if names[move.source] in own:
                own = own - {names[move.source]} | {names[move.target]}
            line = line.extended(line.step(notation.write_move(line.rules, move)))
            struck = {square for square, _ in notation.HIT.findall(line.steps[-1].text)}
            assert not struck & own
            hit += struck
            if line.is_over:
                break
    # The reader's own archers do shoot.
    at_least(5, hit)


def test_a_guessed_archer_shoots(who: People) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    shooter = begin(match, d5="A")
    assert shooter.ranks["d5"] == "A"
    # The infantry steps to f5, two squares away from the archer on d5.
    hit = go(shooter, "h4-f4", "h6-h5", "f4-f5")
    assert "~f5" in hit.steps[-1].text
    assert "~" not in go(begin(match), "h4-f4", "h6-h5", "f4-f5").steps[-1].text


def test_repetitions_of_the_match_count_on_the_practice_board(who: People) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    match_helpers.play(match, "h4-h5", "g6-g5", "h5-h4", "g5-g6")
    with pytest.raises(IllegalMove, match="between h4 and h5"):
        go(begin(match), "h4-h5")
