"""Refusals of illegal moves of Assaut."""

from itertools import pairwise

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Huff, Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import IllegalMove, gettext_noop
from games.rules.core.state.position import Position
from games.rules.systems.assaut.geometry import (
    BOARD,
    CAPTURES_TO_WIN,
    FORTRESS,
    NEIGHBOURS,
    OFFICER,
    OVER,
    SOLDIER,
    can_jump,
    jumps,
    place,
)


def objection_to_chain(
    position: Position, points: tuple[int, ...], *, compulsory: bool
) -> IllegalMove | None:
    """Why a chain of jumps is illegal; None if it is legal (A11 to A13)."""
    names = BOARD.names
    cells = bytearray(position.cells)
    if len(points) < 2 or cells[points[0]] != OFFICER:
        return no_piece_of_yours(points[0])
    cells[points[0]] = EMPTY
    wanted = CAPTURES_TO_WIN - position.memory.captured
    for taken, (start, end) in enumerate(pairwise(points)):
        if taken and taken >= wanted:
            return IllegalMove(
                gettext_noop("The chain ends on %(point)s, with the sixteenth soldier."),
                point=names[start],
            )
        over = OVER.get((start, end))
        if over is None or (over, end) not in jumps(cells, start):
            return IllegalMove(
                gettext_noop(
                    "An officer cannot jump from %(one)s to %(other)s: it takes a soldier on the"
                    " next point of a line, and a free point behind it on the same line."
                ),
                one=names[start],
                other=names[end],
            )
        cells[over] = EMPTY
    if compulsory and len(points) - 1 < wanted and can_jump(cells, points[-1]):
        return IllegalMove(
            gettext_noop("The officer can continue capturing from %(point)s, so it must."),
            point=names[points[-1]],
        )
    return None


def why_no_huff(position: Position, seat: Seat, move: Huff) -> IllegalMove:
    """Why an officer may not be huffed, or not with the move that follows (A13)."""
    point = BOARD.names[move.point]
    if seat is Seat.NORTH:
        return IllegalMove(gettext_noop("Only the soldiers' side may huff an officer."))
    if move.point not in position.memory.offenders or position.cells[move.point] != OFFICER:
        return IllegalMove(
            gettext_noop(
                "There is no officer on %(point)s that missed a capture in the last turn, so "
                "none can be huffed there."
            ),
            point=point,
        )
    cells = bytearray(position.cells)
    cells[move.point] = EMPTY
    if OFFICER not in cells:
        return IllegalMove(
            gettext_noop("Huffing the last officer ends the game; write only *%(point)s."),
            point=point,
        )
    if move.then is None:
        return IllegalMove(
            gettext_noop(
                "After huffing on %(point)s a soldier moves in the same turn, for example "
                "*%(point)s,c4-c5."
            ),
            point=point,
        )
    return why_no_walk(bytes(cells), seat, move.then)


def why_no_walk(cells: bytes, seat: Seat, move: Walk) -> IllegalMove:
    """Why a step from one point to another is illegal (A5 to A10)."""
    values = {"source": BOARD.names[move.source], "target": BOARD.names[move.target]}
    if cells[move.source] != (SOLDIER if seat is Seat.SOUTH else OFFICER):
        return no_piece_of_yours(move.source)
    if move.target not in NEIGHBOURS[move.source]:
        return IllegalMove(
            gettext_noop("No line leads straight from %(source)s to %(target)s."), **values
        )
    if cells[move.target] != EMPTY:
        return IllegalMove(gettext_noop("The point %(target)s is not free."), **values)
    if seat is Seat.NORTH:
        return IllegalMove(gettext_noop("An officer can capture, so you must capture."))
    if move.source in FORTRESS:
        return IllegalMove(
            gettext_noop("A soldier in the fortress must stay in it, and %(target)s is outside."),
            **values,
        )
    if place(move.target)[1] < place(move.source)[1]:
        return IllegalMove(
            gettext_noop("Soldiers never go back, and %(target)s is behind %(source)s."), **values
        )
    return IllegalMove(
        gettext_noop(
            "The move from %(source)s to %(target)s brings the soldier no nearer to the "
            "fortress, and here it must."
        ),
        **values,
    )


def no_piece_of_yours(cell: int) -> IllegalMove:
    """The refusal of a move that starts where the mover has no piece."""
    return IllegalMove(
        gettext_noop("There is no piece of yours on %(square)s."), square=BOARD.names[cell]
    )
