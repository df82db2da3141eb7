"""Refusals of illegal moves of Tactique."""

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Attack, Charge, Walk
from games.rules.core.basics.pieces import Seat, is_piece, owner
from games.rules.core.basics.refusals import IllegalMove, gettext_noop
from games.rules.core.ruleset import why_illegal
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.mobility import mobility
from games.rules.core.state.position import Position
from games.rules.systems.tactique.pieces import ARCHERS


def why_no_move(
    rules: Ruleset, position: Position, move: Walk | Attack, *, step_by_step: bool
) -> IllegalMove | None:
    """Why a mobile piece may not make a walk or an attack; None if it may (T5 to T7)."""
    names = rules.board.names
    values = {"source": names[move.source], "target": names[move.target]}
    if refusal := why_illegal.not_in_line(rules, move.source, move.target):
        return refusal
    if isinstance(move, Attack):
        if position.cells[move.source] in ARCHERS:
            return no_archer_attacks(rules, move.source)
        return IllegalMove(
            gettext_noop(
                "An attack strikes the square beside the piece; to strike %(target)s from"
                " %(source)s it has to charge."
            ),
            **values,
        )
    if step_by_step and move.target not in mobility(rules.board).neighbours[move.source]:
        return IllegalMove(
            gettext_noop(
                "In this edition a piece moves one square, and %(target)s is farther from"
                " %(source)s."
            ),
            **values,
        )
    return why_illegal.way_blocked(rules, position, move.source, move.target)


def why_no_charge(
    rules: Ruleset, position: Position, seat: Seat, move: Charge, *, step_by_step: bool
) -> IllegalMove:
    """Why a mobile piece may not make a charge (T4 to T7)."""
    cells, names = position.cells, rules.board.names
    values = {"via": names[move.via], "target": names[move.target]}
    if cells[move.source] in ARCHERS:
        return no_archer_attacks(rules, move.source)
    if cells[move.via] != EMPTY:
        return IllegalMove(
            gettext_noop("A charge leads to an empty square first, and %(via)s is not empty."),
            **values,
        )
    walk = Walk(move.source, move.via)
    if refusal := why_no_move(rules, position, walk, step_by_step=step_by_step):
        return refusal
    if not is_piece(cells[move.target]) or owner(cells[move.target]) is seat:
        return IllegalMove(
            gettext_noop("A charge ends with an attack, and there is no enemy on %(target)s."),
            **values,
        )
    if move.target not in mobility(rules.board).neighbours[move.via]:
        return IllegalMove(
            gettext_noop(
                "A charge strikes a neighbour of its last square, and %(target)s is not beside"
                " %(via)s."
            ),
            **values,
        )
    return IllegalMove(
        gettext_noop(
            "In this edition a charge strikes straight on, and %(target)s does not lie straight on"
            " from %(via)s."
        ),
        **values,
    )


def no_archer_attacks(rules: Ruleset, source: int) -> IllegalMove:
    """The refusal of an attack by an archer (T7)."""
    return IllegalMove(
        gettext_noop(
            "The Archer on %(square)s cannot attack; archers shoot automatically before your turn."
        ),
        square=rules.board.names[source],
    )
