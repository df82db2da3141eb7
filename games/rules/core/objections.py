"""What keeps a piece from making a move, in the words that the games of hidden armies share.

The one rule: an objection looks at the mover's own pieces and at which squares are taken, never at
the rank of an enemy.
"""

from games.rules.core.army import Seat, is_piece, owner
from games.rules.core.board import EMPTY
from games.rules.core.errors import IllegalMove, gettext_noop
from games.rules.core.position import Position
from games.rules.core.ruleset import Ruleset


def no_such_move() -> IllegalMove:
    """A form of action that the game does not have."""
    return IllegalMove(gettext_noop("There is no such move in this game."))


def to_starting(
    rules: Ruleset, position: Position, seat: Seat, source: int, *, mobile: bool
) -> IllegalMove | None:
    """What keeps the mover from moving the piece on a square anywhere at all."""
    content = position.cells[source]
    square = rules.board.names[source]
    if not is_piece(content):
        return IllegalMove(
            gettext_noop("No piece stands on %(square)s; a move begins on a piece of yours."),
            square=square,
        )
    if owner(content) is not seat:
        return IllegalMove(
            gettext_noop("The piece on %(square)s is not yours to move."), square=square
        )
    if not mobile:
        return IllegalMove(
            gettext_noop("The %(piece)s on %(square)s stays where it is: it never moves."),
            piece=rules.piece_names[rules.rank_of(content)],
            square=square,
        )
    return None


def to_entering(rules: Ruleset, position: Position, seat: Seat, target: int) -> IllegalMove | None:
    """What keeps any piece of the mover from entering a square."""
    content = position.cells[target]
    square = rules.board.names[target]
    if target not in rules.board.cells:
        return IllegalMove(
            gettext_noop("%(square)s is water, and no piece may enter it."), square=square
        )
    if is_piece(content) and owner(content) is seat:
        return IllegalMove(
            gettext_noop("A piece of your own stands on %(square)s already."), square=square
        )
    return None


def to_line(rules: Ruleset, source: int, target: int) -> IllegalMove | None:
    """Two squares that lie neither in one row nor in one file."""
    if rules.board.heading(source, target):
        return None
    return IllegalMove(
        gettext_noop(
            "Pieces go straight along a row or a file, and %(target)s is not in line with"
            " %(source)s."
        ),
        source=rules.board.names[source],
        target=rules.board.names[target],
    )


def to_jumping(rules: Ruleset, position: Position, source: int, target: int) -> IllegalMove | None:
    """A square between two squares of a line that is not free."""
    for cell in rules.board.between(source, target):
        if position.cells[cell] != EMPTY:
            return IllegalMove(
                gettext_noop(
                    "No piece can jump: on the way from %(source)s to %(target)s the square"
                    " %(square)s is not free."
                ),
                source=rules.board.names[source],
                target=rules.board.names[target],
                square=rules.board.names[cell],
            )
    return None
