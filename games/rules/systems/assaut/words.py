"""Why a turn of Assaut may not be played, in words."""

from itertools import pairwise

from games.rules.core.army import Seat
from games.rules.core.board import EMPTY
from games.rules.core.errors import IllegalMove, gettext_noop
from games.rules.core.moves import Blow, Walk
from games.rules.core.position import Position
from games.rules.systems.assaut.points import (
    BOARD,
    ENOUGH,
    FORTRESS,
    NEIGHBOURS,
    OFFICER,
    SOLDIER,
    can_jump,
    jumps,
    over_of,
    place,
)


def objection_to_chain(
    position: Position, points: tuple[int, ...], *, compulsory: bool
) -> IllegalMove | None:
    """What is wrong with a chain of jumps, if anything is (A11 to A13)."""
    names = BOARD.names
    cells = bytearray(position.cells)
    if len(points) < 2 or cells[points[0]] != OFFICER:
        return no_piece_of_yours(points[0])
    cells[points[0]] = EMPTY
    wanted = ENOUGH - position.memory.captured
    for taken, (one, other) in enumerate(pairwise(points)):
        if taken and taken >= wanted:
            return IllegalMove(
                gettext_noop("The chain ends on %(point)s, with the sixteenth soldier."),
                point=names[one],
            )
        if (over_of(one, other), other) not in jumps(cells, one):
            return IllegalMove(
                gettext_noop(
                    "An officer cannot jump from %(one)s to %(other)s: it takes a soldier on the"
                    " next point of a line, and a free point behind it on the same line."
                ),
                one=names[one],
                other=names[other],
            )
        cells[over_of(one, other)] = EMPTY
    if compulsory and len(points) - 1 < wanted and can_jump(cells, points[-1]):
        return IllegalMove(
            gettext_noop("The officer can go on capturing from %(point)s, so it has to."),
            point=names[points[-1]],
        )
    return None


def why_no_blow(position: Position, seat: Seat, move: Blow) -> IllegalMove:
    """Why an officer may not be blown, or not with the move that follows (A13)."""
    point = BOARD.names[move.point]
    if seat is Seat.NORTH:
        return IllegalMove(gettext_noop("Only the soldiers' side may blow an officer."))
    if move.point not in position.memory.offenders or position.cells[move.point] != OFFICER:
        return IllegalMove(
            gettext_noop(
                "On %(point)s stands no officer that missed a capture in the last turn, so none"
                " may be blown there."
            ),
            point=point,
        )
    cells = bytearray(position.cells)
    cells[move.point] = EMPTY
    if OFFICER not in cells:
        return IllegalMove(
            gettext_noop("Blowing the last officer ends the game; write *%(point)s alone."),
            point=point,
        )
    if move.then is None:
        return IllegalMove(
            gettext_noop(
                "After the blow on %(point)s a soldier moves in the same turn, as in"
                " *%(point)s,c4-c5."
            ),
            point=point,
        )
    return why_no_walk(bytes(cells), seat, move.then)


def why_no_walk(cells: bytes, seat: Seat, move: Walk) -> IllegalMove:
    """Why a piece may not step from one point to another (A5 to A10)."""
    facts = {"source": BOARD.names[move.source], "target": BOARD.names[move.target]}
    if cells[move.source] != (SOLDIER if seat is Seat.SOUTH else OFFICER):
        return no_piece_of_yours(move.source)
    if move.target not in NEIGHBOURS[move.source]:
        return IllegalMove(
            gettext_noop("No line leads from %(source)s straight to %(target)s."), **facts
        )
    if cells[move.target] != EMPTY:
        return IllegalMove(gettext_noop("The point %(target)s is not free."), **facts)
    if seat is Seat.NORTH:
        return IllegalMove(gettext_noop("An officer can capture, so a capture has to be played."))
    if move.source in FORTRESS:
        return IllegalMove(
            gettext_noop("A soldier in the fortress stays in it, and %(target)s lies outside."),
            **facts,
        )
    if place(move.target)[1] < place(move.source)[1]:
        return IllegalMove(
            gettext_noop("Soldiers never go back, and %(target)s lies behind %(source)s."), **facts
        )
    return IllegalMove(
        gettext_noop(
            "From %(source)s the move to %(target)s brings the soldier no nearer to the fortress,"
            " and here it has to."
        ),
        **facts,
    )


def no_piece_of_yours(cell: int) -> IllegalMove:
    """A turn that begins where nothing of the mover's stands."""
    return IllegalMove(
        gettext_noop("No piece of yours stands on %(square)s."), square=BOARD.names[cell]
    )
