"""Boards in letters: cells of three columns with marks, and the same board as a list."""

import re
from dataclasses import replace

import pytest

from accounts.models import User
from games.play.board import board_list, text_board
from games.play.board.last_move import last_move
from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.record.match_view import view_match
from games.play.record.snapshot import Entry
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.views.test_assaut_table import MISSED, match_after

WIDTHS = {"lattaque": 47, "tactique": 39, "domino": 39, "assaut": 35}
# A scout of each side is on file a, with no piece between them.
SCOUT_ON_A7 = "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/REJSY1LSBM"
EVERY = [rules.key for rules in registry.editions()]


def board(match: Match, reader: User) -> list[str]:
    return text_board.text(view_match(match.pk, reader)).splitlines()


def row(match: Match, reader: User, number: int) -> str:
    (line,) = [line for line in board(match, reader) if line.startswith(f"{number:>2} ")]
    return line


def listed(match: Match, reader: User) -> str:
    return "\n".join(board_list.paragraphs(view_match(match.pk, reader)))


@pytest.mark.parametrize("preset", tiers.editions(EVERY))
def test_each_board_is_ascii_and_fits_its_width(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    for reader in who[:2]:
        lines = board(match, reader)
        assert "".join(lines).isascii()
        assert max(map(len, lines)) <= WIDTHS[match.rules.family]
        assert {len(line) - len(line.lstrip()) for line in (lines[0], lines[-1])} == {5}


def test_own_edge_is_at_the_bottom_and_labels_are_not_turned(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    south, north = board(match, who.alice), board(match, who.bob)
    assert south[0].split() == list("abcdefghij") and north[0].split() == list("jihgfedcba")
    assert south[1].startswith("10") and north[1].startswith(" 1")


def test_the_last_move_is_marked_at_both_squares(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    assert row(match, who.alice, 5).startswith(" 5   R*  .   ~~  ~~")
    assert row(match, who.alice, 4).startswith(" 4   ,   R   R ")
    assert row(match, who.bob, 5).endswith(" S?* 5")


def test_an_empty_square_where_pieces_fell_is_an_x(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=SCOUT_ON_A7)
    match_helpers.play(match, "a4xa7")
    assert row(match, who.alice, 7).startswith(" 7   x   n?")
    assert row(match, who.alice, 4).startswith(" 4   ,   R ")
    assert "*" not in "".join(board(match, who.alice))
    assert "Pieces were captured on a7." in listed(match, who.alice)


@pytest.mark.parametrize(
    ("preset", "moves", "wanted"),
    [
        ("lattaque-en", ("a4xa7",), {"a7": "n?x", "a4": ","}),
        ("lattaque-en", ("e4xe7",), {"e7": "R*x", "e4": ","}),
        ("lattaque-en", ("e4xe7", "d7xe7"), {"e7": "n?*x", "d7": ","}),
        ("lattaque-zh", ("e4xe7",), {"e7": "R!*x", "e4": ","}),
        ("lattaque-zh-return", ("e4xe7",), {"e7": "x", "e4": "R!*"}),
    ],
    ids=["the attacker", "the defender", "hidden again", "face up", "the winner went back"],
)
def test_a_fallen_piece_is_marked_behind_the_piece_on_its_square(
    who: People, preset: str, moves: tuple[str, ...], wanted: dict[str, str]
) -> None:
    match = match_helpers.running_match(who, *moves, preset=preset)
    view = view_match(match.pk, who.alice)
    signs = text_board.signs(view)
    marked = {square for square, letters in signs.items() if set(letters) & {"*", ",", "x"}}
    assert {square: signs[square] for square in marked} == wanted
    fallen = next(square for square, letters in wanted.items() if "x" in letters)
    assert f"Pieces were captured on {fallen}." in listed(match, who.alice)


def test_a_demoted_piece_has_not_fallen(who: People) -> None:
    match = match_helpers.running_match(who)
    view = view_match(match.pk, who.alice)
    for result, fallen in {"+": {"d6"}, "-": {"d6"}, "=": {"d6"}, "+d": set(), "-d": set()}.items():
        entry = Entry(view.number, Seat.SOUTH, PlyKind.MOVE, f"d5xd6[RvM]{result}")
        seen = replace(view, entries=(entry,))
        assert last_move(seen).fallen == fallen, result


def test_a_board_with_a_longer_label_has_wider_cells(who: People) -> None:
    match = match_helpers.running_match(who, "e4xe7", "d7xe7")
    for reader in who[:2]:
        lines = board(match, reader)
        assert max(map(len, lines)) <= 57
        assert all(len(line.split()) == 12 for line in lines[1:-1] if "~~" not in line)
        columns = {line.index(cell) for line in (lines[0], lines[-1]) for cell in "h"}
        assert len(columns) == 1
    assert row(match, who.alice, 7).startswith(" 7   n?   n?")
    assert " ,    n?*x .    n?" in row(match, who.alice, 7)


def test_a_piece_that_was_jumped_over_fell(who: People) -> None:
    match = match_after(who, *MISSED, "g5-f5", "e5xg5")
    for reader in who[:2]:
        signs = text_board.signs(view_match(match.pk, reader))
        assert (signs["f5"], signs["e5"], signs["g5"]) == ("x", ",", "o*")


def test_a_piece_that_stays_face_up_is_marked_for_both(who: People) -> None:
    match = match_helpers.running_match(who, preset="lattaque-zh")
    match_helpers.play(match, "a4-a5", "j7xj4")
    shown = {
        square
        for square, piece in view_match(match.pk, who.alice).observation.pieces.items()
        if "shown" in piece.marks
    }
    assert shown
    for reader in who[:2]:
        signs = text_board.signs(view_match(match.pk, reader))
        assert all("!" in signs[square] for square in shown)
        assert "face up" in listed(match, reader)


def test_a_board_before_any_move_has_no_marks(who: People) -> None:
    match = match_helpers.running_match(who)
    assert not {",", "*", "x"} & set("".join(board(match, who.alice)))


def test_the_rows_of_a_set_up_are_shown_empty(who: People) -> None:
    rules = registry.ruleset("lattaque-en")
    south = text_board.empty_rows(rules, Seat.SOUTH).splitlines()
    assert [line.split()[0] for line in south[1:-1]] == ["4", "3", "2", "1"]
    north = text_board.empty_rows(rules, Seat.NORTH).splitlines()
    assert [line.split()[0] for line in north[1:-1]] == ["7", "8", "9", "10"]
    assert north[0].split() == list("jihgfedcba")
    assert south[1].split() == ["4", *"." * 10, "4"]


def test_the_list_says_whose_pieces_are_where(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    yours, theirs, last = listed(match, who.bob).split("\n")
    assert yours.startswith("Yours: 36 pieces. Marshal: a7. General: a9.")
    assert theirs.startswith("Theirs: 36 pieces. Hidden: 36. Row 1: j, i, h,")
    assert last == "Last: a5 from a4."
    own_lines, _theirs, _last = listed(match, who.alice).split("\n")
    assert "Flag: c3." in own_lines


def test_the_list_contains_no_hidden_rank(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    theirs = listed(match, who.bob).split("\n")[1]
    names = at_least(10, match.rules.piece_names.values())
    assert not any(name in theirs for name in names)


@pytest.mark.parametrize("preset", tiers.editions(EVERY))
def test_every_square_with_a_piece_is_in_the_list(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    view = view_match(match.pk, who.alice)
    own = [square for square, piece in view.observation.pieces.items() if piece.seat is view.seat]
    paragraph = board_list.paragraphs(view)[0]
    assert all(re.search(rf"\b{square}\b", paragraph) for square in at_least(2, own))
    assert paragraph.isascii() and not set("~*!'|#") & set(paragraph)
