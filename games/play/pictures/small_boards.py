"""Small boards for lists: what everybody knows of a match at one ply, without ranks.

A ply never changes, so neither does its small board. Each process remembers the newest ones.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from games.play.board.last_move import last_move
from games.play.pictures.board_lines import lines
from games.play.pictures.colours import (
    BRIGHT_NORTH,
    BRIGHT_SOUTH,
    DARK,
    INK,
    LIGHT,
    NORTH,
    SOUTH,
)
from games.play.record import match_view
from games.play.record.snapshot import Snapshot
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.base import Ruleset

CELL_UNITS = 10
REMEMBERED = 500  # small boards of a process, about a megabyte


def _style() -> str:
    def colours(of: Mapping[str, str], south: str, north: str) -> str:
        return (
            f".g{{fill:{of['land']}}}.f{{fill:{of['fort']}}}.h{{stroke:{of['hedge']}}}"
            f".w{{stroke:{of['water']}}}.l{{stroke:{of['mark']}}}"
            f".s{{stroke:{south}}}.n{{stroke:{north}}}"
        )

    return (
        f"{colours(LIGHT, SOUTH, NORTH)}"
        f".s,.n{{stroke-width:7}}.s,.w{{stroke-linecap:square}}.n,.u{{stroke-linecap:round}}"
        f".u{{stroke:{INK};stroke-width:3}}.w{{stroke-width:10}}"
        f"@media(prefers-color-scheme:dark){{{colours(DARK, BRIGHT_SOUTH, BRIGHT_NORTH)}}}"
    )


STYLE = _style()


def size(rules: Ruleset) -> tuple[int, int]:
    """The width and height of the small boards of an edition, in pixels."""
    return rules.board.files * CELL_UNITS, rules.board.ranks * CELL_UNITS


@lru_cache(maxsize=REMEMBERED)
def small_board(match_id: int, shown: int) -> bytes:
    """The small board of a match at a ply, counted from 0, as an SVG file; two queries.

    Raises Match.DoesNotExist, and NoSuchPly before the armies stand or after the newest ply.
    """
    return draw(match_view.view_match(match_id, None, shown=shown, viewpoint=Viewpoint.GALLERY))


def draw(view: Snapshot) -> bytes:
    """A board as an SVG file: whose piece stands where, which are face up, and the last move."""
    rules, pieces = view.rules, view.observation.pieces
    move = last_move(view)
    touched = sorted({move.moved, move.left, *move.fallen} - {""})
    known = [square for square, piece in pieces.items() if piece.rank and rules.hidden]
    of = {seat: [square for square, p in pieces.items() if p.seat is seat] for seat in Seat}
    outlines = "".join(_at(rules, square, -4.5, "h9v9h-9z") for square in touched)
    parts = [
        _ground(rules),
        _dots(rules, "s", of[Seat.SOUTH]),
        _dots(rules, "n", of[Seat.NORTH]),
        _dots(rules, "u", known),
        f'<path class="l" d="{outlines}"/>' if outlines else "",
        "</svg>",
    ]
    return "".join(parts).encode()


@lru_cache(maxsize=64)
def _ground(rules: Ruleset) -> str:
    """What is the same at every ply: the beginning of the file, and the board without pieces."""
    width, height = size(rules)
    whole = f'<path class="g" d="M0 0h{width}v{height}H0z"/>'
    board, points = rules.board, presentation_of(rules.family).points
    if points:
        fort = "".join(_at(rules, one, -5, "h10v10h-10z") for one in rules.zone(points.fortress_of))
        ways = "".join(
            f"{_at(rules, one, 0, 'L')}{_at(rules, other, 0, '')[1:]}"
            for one, other in lines(rules)
        )
        ground = f'{whole}<path class="f" d="{fort}"/><path class="h" d="{ways}"/>'
    else:
        across = "".join(f"M0 {y}h{width}" for y in range(CELL_UNITS, height, CELL_UNITS))
        along = "".join(f"M{x} 0v{height}" for x in range(CELL_UNITS, width, CELL_UNITS))
        lakes = [square for square in board.squares if not board.playable(square)]
        ground = f'{whole}<path class="h" d="{across}{along}"/>{_dots(rules, "w", lakes)}'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" fill="none"><style>{STYLE}</style>{ground}'
    )


def _dots(rules: Ruleset, kind: str, squares: Iterable[str]) -> str:
    """A line of no length on each square, which its ends make a square or a disc."""
    path = "".join(_at(rules, square, 0, "h0") for square in squares)
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def _at(rules: Ruleset, square: str, aside: float, drawing: str) -> str:
    """A path that begins `aside` units right of and below the middle of a square."""
    x = (ord(square[0]) - ord("a")) * CELL_UNITS + CELL_UNITS / 2 + aside
    y = (rules.board.ranks - int(square[1:])) * CELL_UNITS + CELL_UNITS / 2 + aside
    return f"M{x:g} {y:g}{drawing}"
