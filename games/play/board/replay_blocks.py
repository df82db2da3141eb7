"""Blocks of a replay: some plies in a row as a page shows them in place of the one it came with.

What a ply changes is told against the ply before it, the first of a block against an empty page: so
a block is small, and can be read without another. docs/board-markup.md is the contract.
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

# Half a second and more of pressed keys; also how many plies of an imported record lie together.
BLOCK_PLIES = 32
FORMAT = 1  # of a block; another number keeps browsers from reading those that they have kept

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
    """A block for the script: `parts` gives the HTML beside the board, `lines` the move list's."""
    looks: dict[str, int] = {"": 0}
    board: dict[str, int] = {}
    beside: dict[str, str] = {}
    plies = []
    for view in views:
        squares = {
            square: looks.setdefault(html, len(looks)) for square, html in _squares(view).items()
        }
        told = {"caption": caption(view), "at": position(view), **parts(view)}
        plies.append(
            {
                "board": _changes(board, squares, 0),
                "marks": {square: " ".join(marks) for square, marks in last_action(view).items()},
                "parts": _changes(beside, told, ""),
            }
        )
        board, beside = squares, told
    return {
        "first": views[0].shown_ply,
        "looks": list(looks),
        "plies": plies,
        "lines": list(lines),
    }


def position(view: Snapshot) -> str:
    """Where in the match the board shown is: "move 3 (South) of 30"."""
    facts = {"at": label(view.rules, view.observation.ply), "last": move_number(view.last_turn)}
    return _("move %(at)s of %(last)s") % facts


def version(view: Snapshot) -> str:
    """What a block of a finished match depends on, beside its address, as a short digest.

    It is part of the address, so that a browser may keep a block for good: whatever changes a byte
    of it (the reader's language or time zone, a renamed player, newer drawings) changes the digest.
    """
    facts = [
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
    return sha256(repr([str(fact) for fact in facts]).encode()).hexdigest()[:16]


def _squares(view: Snapshot) -> dict[str, str]:
    pieces = view.observation.pieces
    looks = faces(view.rules, pieces.values())
    html = {piece: unlinked(face) for piece, face in looks.items()}
    return {square: html[piece] for square, piece in pieces.items()}


def _changes(before: dict[str, Value], after: dict[str, Value], nothing: Value) -> dict[str, Value]:
    """What differs, by name; what is no longer there has become `nothing`."""
    names = dict.fromkeys(chain(before, after))
    return {
        name: after.get(name, nothing)
        for name in names
        if before.get(name, nothing) != after.get(name, nothing)
    }
