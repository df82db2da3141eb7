"""L'Attaque: where pieces may go, and the refusals of other moves."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import IllegalMove
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Shown
from games.rules.core.text.notation import read_move, read_position
from tests.rules.shortcuts import board, happenings, legal_from, play, rules_of

ENGLISH = rules_of("lattaque-en")


def scene(turn: str = "S", quiet: int = 0, **pieces: str) -> str:
    """A board with the given pieces, `e4="K"`, and a captain for each side in a far corner."""
    pieces = {"a10": "k", "j1": "K"} | pieces
    rows = []
    for row in range(10, 0, -1):
        cells = [pieces.get(f"{file}{row}", "") for file in "abcdefghij"]
        lakes = ["c", "d", "g", "h"] if row in (5, 6) else []
        text, run = "", 0
        for file, piece in zip("abcdefghij", cells, strict=True):
            if not piece and file not in lakes:
                run += 1
                continue
            text += (str(run) if run else "") + (piece or "~")
            run = 0
        rows.append(text + (str(run) if run else ""))
    return f"{'/'.join(rows)} {turn} {quiet} 30"


def refusal(rules: Ruleset, position: str, text: str, seat: Seat = Seat.SOUTH) -> str:
    with pytest.raises(IllegalMove) as caught:
        read_move(rules, read_position(rules, position), seat, text)
    return str(caught.value)


def test_a_piece_moves_one_square_straight() -> None:
    assert legal_from(ENGLISH, scene(e3="K"), "e3") == ["e3-d3", "e3-e2", "e3-e4", "e3-f3"]


def test_a_piece_attacks_an_adjacent_square_and_stops_before_its_own_pieces() -> None:
    position = scene(e3="K", e4="s", d3="B", f3="f")
    assert legal_from(ENGLISH, position, "e3") == ["e3-e2", "e3xe4", "e3xf3"]


def test_no_piece_enters_a_lake_or_leaves_the_board() -> None:
    assert legal_from(ENGLISH, scene(c4="K"), "c4") == ["c4-b4", "c4-c3", "c4-d4"]
    assert legal_from(ENGLISH, scene(j5="K"), "j5") == ["j5-i5", "j5-j4", "j5-j6"]
    assert legal_from(ENGLISH, scene(a5="K"), "a5") == ["a5-a4", "a5-a6", "a5-b5"]


def test_bombs_and_flags_never_move() -> None:
    assert legal_from(ENGLISH, scene(e3="B", e8="F"), "e3") == []
    assert legal_from(ENGLISH, scene(e3="B", e8="F"), "e8") == []


def test_a_scout_moves_any_distance_up_to_the_next_piece() -> None:
    position = scene(e3="R", e7="B", b3="s", h3="K")
    assert legal_from(ENGLISH, position, "e3") == [
        "e3-c3",
        "e3-d3",
        "e3-e1",
        "e3-e2",
        "e3-e4",
        "e3-e5",
        "e3-e6",
        "e3-f3",
        "e3-g3",
        "e3xb3",
    ]


def test_a_scout_does_not_cross_a_lake() -> None:
    moves = legal_from(ENGLISH, scene(c3="R"), "c3")
    assert "c3-c4" in moves
    assert "c3-c7" not in moves


def test_a_scout_attacks_neighbours_only_where_the_edition_says_so() -> None:
    short = rules_of("lattaque-en-shortscout")
    position = scene(e3="R", e7="s", f3="s")
    moves = legal_from(short, position, "e3")
    assert "e3xf3" in moves
    assert "e3-e6" in moves
    assert "e3xe7" not in moves
    assert refusal(short, position, "e3xe7") == (
        "In this edition a Scout attacks neighbouring squares only, and e7 is too far from e3."
    )


def test_a_scout_that_moved_far_is_face_up_in_the_chinese_edition() -> None:
    chinese = rules_of("lattaque-zh")
    (after, events), *_ = happenings(chinese, scene(e3="R"), "e3-e4")
    assert "!" not in board(chinese, after)
    (after, events), *_ = happenings(chinese, scene(e3="R"), "e3-e5")
    assert "R!" in board(chinese, after)
    assert Shown(Seat.SOUTH, "e5", "R") in events
    assert "!" not in board(ENGLISH, play(ENGLISH, scene(e3="R"), "e3-e5"))
    (after, events), *_ = happenings(chinese, scene(e3="R", e7="y"), "e3xe7")
    assert "R!" in board(chinese, after)


def test_no_piece_moves_back_in_the_forward_edition() -> None:
    forward = rules_of("lattaque-en-forward")
    position = scene(e3="K", e2="s", d8="R", e8="s", a10="k")
    assert legal_from(forward, position, "e3") == ["e3-d3", "e3-e4", "e3-f3"]
    assert legal_from(forward, position, "d8") == [
        "d8-a8",
        "d8-b8",
        "d8-c8",
        "d8-d10",
        "d8-d9",
        "d8xe8",
    ]
    assert refusal(forward, position, "e3xe2") == (
        "The Captain may not go back from e3 to e2: in this edition it moves forward and sideways"
        " only."
    )
    north = scene("N", e8="s")
    assert legal_from(forward, north, "e8") == ["e8-d8", "e8-e7", "e8-f8"]


def test_only_the_named_pieces_may_not_move_back() -> None:
    rules = rules_of("lattaque-en", no_back="SK")
    assert rules.options["no_back"] == "KS"
    position = scene(e3="K", g3="M")
    assert "e3-e2" not in legal_from(rules, position, "e3")
    assert "g3-g2" in legal_from(rules, position, "g3")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d3-d4", "There is no piece on d3; a move begins with one of your pieces."),
        ("a10-a9", "The piece on a10 is not yours."),
        ("b1-b2", "The Bomb on b1 cannot move."),
        ("c4-c5", "c5 is a lake, and no piece may enter it."),
        ("j1-i1", "There is already a piece of yours on i1."),
        (
            "e3-f4",
            "Pieces move straight along a row or a file, and f4 is not in line with e3.",
        ),
        (
            "e3-e5",
            "The Captain on e3 moves one square at a time; only a Scout could go as far as e5.",
        ),
        (
            "c4-c7",
            "No piece can jump: between c4 and c7 the square c5 is not empty.",
        ),
        ("e3-e3", "There is already a piece of yours on e3."),
    ],
)
def test_a_refusal_names_the_reason(text: str, words: str) -> None:
    position = scene(e3="K", b1="B", c4="R", i1="L")
    assert refusal(ENGLISH, position, text) == words


def test_a_refusal_can_be_translated() -> None:
    with pytest.raises(IllegalMove) as caught:
        read_move(ENGLISH, read_position(ENGLISH, scene(e3="K")), Seat.SOUTH, "e3-e5")
    assert caught.value.values == {"piece": "Captain", "source": "e3", "target": "e5"}
    assert "%(piece)s" in caught.value.template
