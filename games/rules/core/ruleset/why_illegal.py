"""Refusals of illegal moves, shared by the games with hidden ranks.

They depend on the mover's own pieces and on which squares are occupied, never on an enemy's rank.
"""

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.pieces import Seat, is_piece, owner
from games.rules.core.basics.refusals import IllegalMove, gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position


def no_such_move() -> IllegalMove:
    """The refusal of a form of move that the game does not have."""
    return IllegalMove(gettext_noop("There is no such move in this game."))


def wrong_start(
    rules: Ruleset, position: Position, seat: Seat, source: int, *, mobile: bool
) -> IllegalMove | None:
    """Why a move cannot start here: no piece, an enemy, or an immobile piece; else None."""
    content = position.cells[source]
    square = rules.board.names[source]
    if not is_piece(content):
        return IllegalMove(
            gettext_noop("There is no piece on %(square)s; a move begins with one of your pieces."),
            square=square,
        )
    if owner(content) is not seat:
        return IllegalMove(gettext_noop("The piece on %(square)s is not yours."), square=square)
    if not mobile:
        return IllegalMove(
            gettext_noop("The %(piece)s on %(square)s cannot move."),
            piece=rules.piece_names[rules.rank_of(content)],
            square=square,
        )
    return None


def wrong_target(rules: Ruleset, position: Position, seat: Seat, target: int) -> IllegalMove | None:
    """Why the mover may not enter a square: a lake, or an own piece there; else None."""
    content = position.cells[target]
    square = rules.board.names[target]
    if target not in rules.board.cells:
        return IllegalMove(
            gettext_noop("%(square)s is a lake, and no piece may enter it."), square=square
        )
    if is_piece(content) and owner(content) is seat:
        return IllegalMove(
            gettext_noop("There is already a piece of yours on %(square)s."), square=square
        )
    return None


def not_in_line(rules: Ruleset, source: int, target: int) -> IllegalMove | None:
    """The refusal if two squares share neither row nor file, else None."""
    if rules.board.heading(source, target):
        return None
    return IllegalMove(
        gettext_noop(
            "Pieces move straight along a row or a file, and %(target)s is not in line with "
            "%(source)s."
        ),
        source=rules.board.names[source],
        target=rules.board.names[target],
    )


def way_blocked(rules: Ruleset, position: Position, source: int, target: int) -> IllegalMove | None:
    """The refusal if a square between two squares of a line is occupied, else None."""
    for cell in rules.board.between(source, target):
        if position.cells[cell] != EMPTY:
            return IllegalMove(
                gettext_noop(
                    "No piece can jump: between %(source)s and %(target)s the square "
                    "%(square)s is not empty."
                ),
                source=rules.board.names[source],
                target=rules.board.names[target],
                square=rules.board.names[cell],
            )
    return None
