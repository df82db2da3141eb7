"""The board in a letter: an HTML table of letters, which needs no picture.

Its classes are those of templates/mail/base.html, and its cells are styled here.
"""

from functools import lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.mail import styles
from games.play import boards
from games.play.sight import Look
from games.rules.core.army import Seat
from games.rules.core.board import Board

TABLE = '<table class="board" align="center" cellspacing="1" cellpadding="0">'
SIDES = {Seat.SOUTH: "south", Seat.NORTH: "north"}


def table(look: Look) -> SafeString:
    """The board as the reader sees it, their own edge at the foot."""
    rules = look.rules
    lines, places = _empty(rules.board, rules.family, look.viewpoint.seat is Seat.NORTH)
    filled = list(lines)
    for square, piece in look.observation.pieces.items():
        filled[places[square]] = _piece(piece.seat, boards.sign(piece))
    # A line for each cell: mail servers cut lines that are longer than 998 signs.
    return mark_safe("\n".join(filled))  # noqa: S308 - joined from escaped parts


@lru_cache(maxsize=64)
def _empty(board: Board, family: str, turned: bool) -> tuple[list[str], dict[str, int]]:
    """The lines of a board on which nothing stands, and on which of them each square is."""
    files, ranks = boards.axes(board, turned)
    table, edge = styles.tag(TABLE), _opening("<th>")
    free, water = _opening("<td>"), _opening('<td class="lake">')
    lake = f"{edge}</th>" if family == "assaut" else f"{water}~</td>"
    wide = _opening('<th width="24">')
    head = "\n".join(f"{wide}{file}</th>" for file in ["", *files, ""])
    lines, places = [table, f"<tbody><tr>{head}</tr>"], {}
    for rank in ranks:
        lines.append(f"<tr>{edge}{rank}</th>")
        for file in files:
            square = f"{file}{rank}"
            places[square] = len(lines)
            lines.append(f"{free}&nbsp;</td>" if board.playable(square) else lake)
        lines.append(f"{edge}{rank}</th></tr>")
    return [*lines, f"<tr>{head}</tr>", "</tbody></table>"], places


def legend(look: Look) -> str:
    """How to read the letters of a board."""
    south, north = (_(name) for name in look.rules.seat_names)
    facts = {"south": south, "north": north}
    if look.rules.family == "domino":
        told = [_("Two figures: the attack and the defence of a tile of yours.")]
    else:
        told = [_("Capitals: %(south)s. Small letters: %(north)s.") % facts]
    if look.rules.mark == "demoted":
        told.append(_("A stroke behind a letter: demoted."))
    if look.rules.hidden:
        told.append(_("A question mark: hidden from you."))
    return " ".join(told)


@lru_cache(maxsize=256)
def _piece(seat: Seat, letters: str) -> str:
    opening = _opening(f'<td class="{SIDES[seat]}">')
    return f"{opening}{escape(letters)}</td>"


def _opening(cell: str) -> str:
    """The opening tag of a cell with its styles."""
    return styles.tag(f"{TABLE}<tr>{cell}")
