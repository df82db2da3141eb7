"""Blocks of a replay: the parts of a page for some plies in a row, which a script puts into it.

Each ply is stored as the difference from the ply before it, the first of a block as the difference
from an empty page. So a block is small and needs no other block. docs/board-markup.md specifies it.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, TypeVar

from django.templatetags.static import static
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.play.board.boards import caption
from games.play.board.choices import last_action
from games.play.board.pieces import faces, unlinked
from games.play.record.move_numbers import label
from games.play.record.snapshot import NoSuchPly, Snapshot
from games.rules.core.basics.moves import move_number

# Enough for half a second of a held key; also the plies of an imported record per stored block.
BLOCK_PLIES = 32
FORMAT = 1  # of a block; a new number makes browsers drop their cached ones

Parts = Callable[[Snapshot], dict[str, str]]
Value = TypeVar("Value", int, str)


def plies_of(block: int) -> tuple[int, int]:
    """The first and the last ply of a block, counted from the first move; raises NoSuchPly."""
    if block < 0:
        raise NoSuchPly
    return block * BLOCK_PLIES, (block + 1) * BLOCK_PLIES - 1


def block_of(
    views: Sequence[Snapshot], parts: Parts, lines: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """A block for the script: `parts` gives the HTML beside the board, `lines` the move list."""
    looks: dict[str, int] = {"": 0}
    board: dict[str, int] = {}
    before: dict[str, str] = {}
    plies = []
    for view in views:
        squares = {
            square: looks.setdefault(html, len(looks)) for square, html in _squares(view).items()
        }
        shown = {"caption": caption(view), "at": position(view), **parts(view)}
        plies.append(
            {
                "board": _changes(board, squares, 0),
                "marks": {square: " ".join(marks) for square, marks in last_action(view).items()},
                "parts": _changes(before, shown, ""),
            }
        )
        board, before = squares, shown
    return {
        "first": views[0].shown_ply,
        "looks": list(looks),
        "plies": plies,
        "lines": list(lines),
    }


def position(view: Snapshot) -> str:
    """The position of the shown board in the match: "move 3 (South) of 30"."""
    values = {"at": label(view.rules, view.observation.ply), "last": move_number(view.last_turn)}
    return _("move %(at)s of %(last)s") % values


def version(view: Snapshot) -> str:
    """A short digest of everything that a block of a finished match depends on except its address.

    It is part of the address, so that a browser may keep a block for good: whatever changes a byte
    of it (the reader's language or time zone, a renamed player, newer drawings) changes the digest.
    """
    values = [
        FORMAT,
        static("svg/army.svg"),
        static("css/board.css"),
        get_language(),
        get_current_timezone_name(),
        view.viewpoint,
        view.is_own,
        view.last,
        *view.sides.values(),
    ]
    return sha256(repr([str(fact) for fact in values]).encode()).hexdigest()[:16]


def _squares(view: Snapshot) -> dict[str, str]:
    pieces = view.observation.pieces
    looks = faces(view.rules, pieces.values())
    html = {piece: unlinked(face) for piece, face in looks.items()}
    return {square: html[piece] for square, piece in pieces.items()}


def _changes(before: dict[str, Value], after: dict[str, Value], nothing: Value) -> dict[str, Value]:
    """The differing values by name; a name that is gone has the value `nothing`."""
    names = dict.fromkeys(chain(before, after))
    return {
        name: after.get(name, nothing)
        for name in names
        if before.get(name, nothing) != after.get(name, nothing)
    }
