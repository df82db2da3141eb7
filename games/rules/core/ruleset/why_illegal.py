"""Reasons why a move is illegal, shared by the games with hidden ranks.

They look at the mover's own pieces and at which squares are taken, never at the rank of an enemy.
"""

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.pieces import Seat, is_piece, owner
from games.rules.core.basics.refusals import IllegalMove, gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position


def no_such_move() -> IllegalMove:
    """The game has no move of this form."""
    return IllegalMove(gettext_noop("There is no such move in this game."))


def wrong_start(
    rules: Ruleset, position: Position, seat: Seat, source: int, *, mobile: bool
) -> IllegalMove | None:
    """Why nothing on a square can be moved: no piece, not the mover's, or immobile; else None."""
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
    """Why no piece of the mover may enter a square: water, or an own piece there; else None."""
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
    """Why no piece goes between two squares that share neither row nor file; else None."""
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
    """Why a piece cannot pass between two squares of a line: one is taken; else None."""
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
