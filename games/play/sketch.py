"""A move that is being written, as it shows on the board before it is sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from games.play.branches import Squares
from games.play.scene import Scene
from games.play.sight import Look
from games.rules.core import notation
from games.rules.core.observation import SeenPiece


class Sketch(NamedTuple):
    """States of squares, and the piece drawn once more where the move has taken it so far."""

    marks: dict[str, list[str]]
    ghosts: dict[str, SeenPiece]


def of_move(look: Look, text: str) -> Sketch:
    """The sketch of a whole move."""
    if not text:
        return Sketch({}, {})
    done = notation.read_annotated(look.rules, text)
    return _sketch(look, done.path, done.blown)


def of_squares(look: Look, begun: Squares) -> Sketch:
    """The sketch of the beginning of a move."""
    if begun and strikes_first(look, begun):
        return _sketch(look, begun[1:], begun[0])
    return _sketch(look, begun, None)


def strikes_first(look: Look, squares: Squares) -> bool:
    """Whether a move begins with a blow: with a piece of the other side (A13)."""
    first = look.observation.pieces.get(squares[0])
    return first is not None and first.seat is not look.seat


def jumped(look: Scene, path: Squares) -> Iterator[str]:
    """The points that an officer's chain passes over; no other piece jumps."""
    if look.rules.hidden:
        return
    for one, other in pairwise(path):
        file, row = ord(one[0]) + ord(other[0]), int(one[1:]) + int(other[1:])
        if file % 2 == 0 and row % 2 == 0:
            yield f"{chr(file // 2)}{row // 2}"


def _sketch(look: Look, path: Squares, blown: str | None) -> Sketch:
    marks: dict[str, list[str]] = defaultdict(list)
    if blown:
        marks[blown].append("taken")
    for point in jumped(look, path):
        marks[point].append("taken")
    if len(path) == 1:
        marks[path[0]].append("chosen")
    if len(path) < 2:
        return Sketch(marks, {})
    marks[path[0]].append("draft-from")
    marks[path[-1]].append("draft-to")
    pieces = look.observation.pieces
    free = [square for square in path[1:] if square not in pieces or square == blown]
    # A chain may end where it began; there the officer stands already.
    if not free or path[-1] == path[0]:
        return Sketch(marks, {})
    mover = pieces[path[0]]
    return Sketch(marks, {free[-1]: replace(mover, marks=mover.marks | {"drafted"})})
