"""The squares of the last move, for the boards that are text.

Everything is derived from the public text of the move.
"""

from typing import NamedTuple

from games.play.models.kind import PlyKind
from games.play.record.snapshot import Snapshot
from games.rules.core.text import notation

DEMOTIONS = ("+d", "-d")  # results of a battle in which no piece is captured


class LastMove(NamedTuple):
    """Squares by name; empty where the move has none of the kind."""

    moved: str = ""  # where the piece that moved is now
    left: str = ""  # where it was before
    fallen: frozenset[str] = frozenset()  # where a piece was captured; one may stand there now


def last_move(view: Snapshot) -> LastMove:
    """The newest move at or before the ply shown; empty if it is not in the view."""
    entries = [entry for entry in view.entries if entry.number <= view.number]
    entry = next((entry for entry in reversed(entries) if entry.kind == PlyKind.MOVE), None)
    if entry is None or entry.seat is None:
        return LastMove()
    done, pieces = notation.read_annotated(view.rules, entry.text), view.observation.pieces
    own = {square for square, piece in pieces.items() if piece.seat is entry.seat}
    # A winner may return to its source, or capture and stay where it charged to.
    stands = [done.target, done.via, done.source]
    moved = next((square for square in stands if square in own), None) or ""
    fallen = [done.huffed, *(square for square, removed in done.volley if removed)]
    if done.attack and view.rules.jumps:
        fallen += view.rules.jumps.jumped_over(done.path)
    elif done.attack and done.result not in DEMOTIONS:
        fallen.append(done.target)
    left = done.source if done.source and done.source not in pieces else ""
    return LastMove(moved, left or "", frozenset(filter(None, fallen)) - {left})
