"""Board: squares, their names and the squares between them."""

from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from tests.rules.shortcuts import rules_of


def test_a1_is_souths_left_corner_and_files_go_right() -> None:
    board = Board(10, 10)
    assert board.squares[0] == "a1"
    assert board.squares[9] == "j1"
    assert board.squares[10] == "a2"
    assert board.squares[-1] == "j10"


def test_the_lakes_of_lattaque_are_two_of_four_squares() -> None:
    board = rules_of("lattaque-en").board
    lakes = {square for square in board.squares if not board.playable(square)}
    assert lakes == {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}
    assert len(board.cells) == 92


def test_gibsons_board_is_nine_wide_with_three_lakes_of_two() -> None:
    board = rules_of("lattaque-gibson").board
    assert (board.files, board.ranks) == (9, 10)
    assert board.blocked == {"c5", "c6", "e5", "e6", "g5", "g6"}


def test_assauts_board_is_a_cross_of_thirty_three_points() -> None:
    assert len(rules_of("assaut").board.cells) == 33


def test_a_square_off_the_board_is_not_playable() -> None:
    board = Board(8, 8)
    assert not board.playable("i1")
    assert not board.playable("a9")
    assert not board.playable("")


def test_a_line_across_the_side_edge_does_not_exist() -> None:
    board = Board(10, 10)
    index = board.index
    assert board.heading(index["j1"], index["a2"]) == 0
    assert board.heading(index["a1"], index["b2"]) == 0
    assert board.heading(index["a1"], index["a1"]) == 0
    assert [board.names[cell] for cell in board.between(index["a4"], index["a1"])] == ["a3", "a2"]
    assert [board.names[cell] for cell in board.between(index["a4"], index["d4"])] == ["b4", "c4"]


def test_changing_a_pair_by_seat_makes_a_new_one() -> None:
    pair = BySeat("south", "north")
    assert pair.put(Seat.NORTH, "new") == BySeat("south", "new")
    assert pair[Seat.SOUTH.other] == "north"
    assert pair == BySeat("south", "north")


def test_a_viewpoint_owns_its_seat_and_open_owns_both() -> None:
    assert Viewpoint.of_seat(Seat.NORTH) is Viewpoint.NORTH
    assert Viewpoint.NORTH.seat is Seat.NORTH
    assert Viewpoint.GALLERY.seat is None
    assert [viewpoint.owns(Seat.SOUTH) for viewpoint in Viewpoint] == [True, False, False, True]
