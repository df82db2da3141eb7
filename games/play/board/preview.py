"""Preview of a move on the board before it is sent: marked squares, and the piece on its target."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

from games.play.board.move_tree import Squares
from games.play.record.snapshot import SeatedSnapshot
from games.rules.core.observation import SeenPiece
from games.rules.core.text import notation


class Preview(NamedTuple):
    """States of squares by square, and the piece drawn again on its target square."""

    marks: dict[str, list[str]]
    drafted: dict[str, SeenPiece]


def of_move(view: SeatedSnapshot, text: str) -> Preview:
    """The preview of a whole move."""
    if not text:
        return Preview({}, {})
    done = notation.read_annotated(view.rules, text)
    return _preview(view, done.path, done.huffed)


def of_squares(view: SeatedSnapshot, begun: Squares) -> Preview:
    """The preview of the first squares of a move."""
    if begun and strikes_first(view, begun):
        return _preview(view, begun[1:], begun[0])
    return _preview(view, begun, None)


def strikes_first(view: SeatedSnapshot, squares: Squares) -> bool:
    """Whether a move begins with a huff, so with a piece of the other side (A13)."""
    first = view.observation.pieces.get(squares[0])
    return first is not None and first.seat is not view.seat


def _preview(view: SeatedSnapshot, path: Squares, huffed: str | None) -> Preview:
    marks: dict[str, list[str]] = defaultdict(list)
    if huffed:
        marks[huffed].append("taken")
    if view.rules.jumps:
        for point in view.rules.jumps.jumped_over(path):
            marks[point].append("taken")
    if len(path) == 1:
        marks[path[0]].append("chosen")
    if len(path) < 2:
        return Preview(marks, {})
    marks[path[0]].append("draft-from")
    marks[path[-1]].append("draft-to")
    pieces = view.observation.pieces
    free = [square for square in path[1:] if square not in pieces or square == huffed]
    # A chain may end where it began; the officer is drawn there already.
    if not free or path[-1] == path[0]:
        return Preview(marks, {})
    mover = pieces[path[0]]
    return Preview(marks, {free[-1]: replace(mover, marks=mover.marks | {"drafted"})})
