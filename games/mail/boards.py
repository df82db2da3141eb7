"""The board in a letter: an HTML table of letters, which needs no picture.

Its classes are those of templates/mail/base.html, and become styles of each cell before it is sent.
"""

from functools import lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play import boards
from games.play.sight import Look
from games.rules.core.army import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

SIDES = {Seat.SOUTH: "south", Seat.NORTH: "north"}


def table(look: Look) -> SafeString:
    """The board as the reader sees it, their own edge at the foot."""
    rules, pieces = look.rules, look.observation.pieces
    files = [name[0] for name in rules.board.squares[: rules.board.files]]
    ranks = list(range(rules.board.ranks, 0, -1))
    if look.viewpoint.seat is Seat.NORTH:
        files, ranks = files[::-1], ranks[::-1]
    head = "\n".join(f'<th width="24">{file}</th>' for file in ["", *files, ""])
    lines = [
        '<table class="board" align="center" cellspacing="1" cellpadding="0">',
        f"<tr>{head}</tr>",
    ]
    for rank in ranks:
        cells = [_cell(rules, f"{file}{rank}", pieces.get(f"{file}{rank}")) for file in files]
        lines += [f"<tr><th>{rank}</th>", *cells, f"<th>{rank}</th></tr>"]
    # A line for each cell: mail servers cut lines that are longer than 998 signs.
    return mark_safe("\n".join([*lines, f"<tr>{head}</tr>", "</table>"]))  # noqa: S308 - joined from escaped parts


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


def _cell(rules: Ruleset, square: str, piece: SeenPiece | None) -> str:
    if piece is not None:
        return _piece(piece.seat, boards.sign(piece))
    if rules.board.playable(square):
        return "<td>&nbsp;</td>"
    return "<th></th>" if rules.family == "assaut" else '<td class="lake">~</td>'


@lru_cache(maxsize=256)
def _piece(seat: Seat, letters: str) -> str:
    return f'<td class="{SIDES[seat]}">{escape(letters)}</td>'
