"""Boards in HTML e-mails: a table of letters, since mail programs hide pictures.

Its classes are defined in templates/mail/base.html; their styles are inlined here.
"""

from functools import lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.notifications.email.composing import css_inlining
from games.play.board.orientation import axes
from games.play.board.pieces import SIDES
from games.play.record.match_view import MatchView
from games.presentation.registry import presentation_of
from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import Seat
from lib.sentences import in_a_row

SIZES, LONGEST = {3: " long"}, " longer"  # classes of a sign, by its number of letters
TABLE = '<table class="board" align="center" cellspacing="1" cellpadding="0">'


def table(view: MatchView, texts: dict[str, str]) -> SafeString:
    """The board as the reader sees it, as an HTML table with their own edge at the bottom.

    `texts` are the signs of its squares (text_board.signs).
    """
    rules = view.rules
    has_lakes = presentation_of(rules.family).points is None
    lines, places = _empty(rules.board, has_lakes, view.viewpoint.seat is Seat.NORTH)
    filled = list(lines)
    pieces = view.observation.pieces
    for square, letters in texts.items():
        piece = pieces.get(square)
        filled[places[square]] = _piece(piece.seat, letters) if piece else _mark(letters)
    # A line for each cell: mail servers cut lines of more than 998 characters.
    return mark_safe("\n".join(filled))  # noqa: S308 - joined from escaped parts


@lru_cache(maxsize=64)
def _empty(board: Board, has_lakes: bool, turned: bool) -> tuple[list[str], dict[str, int]]:
    """The lines of an empty board, and the index of the line of each square."""
    files, ranks = axes(board, turned)
    table, edge = css_inlining.tag(TABLE), _opening("<th>")
    free, water = _opening("<td>"), _opening('<td class="lake">')
    lake = f"{water}~</td>" if has_lakes else f"{edge}</th>"
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


def legend(view: MatchView) -> str:
    """Sentences that explain the letters and signs of a board."""
    south, north = (_(name) for name in view.rules.seat_names)
    seats = {"south": south, "north": north}
    sentences = [_(presentation_of(view.rules.family).legend) % seats]
    if view.rules.mark == "demoted":
        sentences.append(_("An apostrophe after a letter: demoted."))
    if any("shown" in piece.marks for piece in view.observation.pieces.values()):
        sentences.append(_("An exclamation mark after a letter: permanently face up."))
    if view.rules.hidden:
        sentences.append(_("A question mark: hidden from you."))
    sentences.append(
        _("An asterisk: moved last, from the comma. An x: a piece was captured there.")
    )
    return in_a_row(sentences)


@lru_cache(maxsize=256)
def _piece(seat: Seat, letters: str) -> str:
    # Longer signs have smaller letters, so that the board fits the screen of a phone.
    size = SIZES.get(len(letters), LONGEST if len(letters) > max(SIZES) else "")
    opening = _opening(f'<td class="{SIDES[seat]}{size}">')
    return f"{opening}{escape(letters)}</td>"


@lru_cache(maxsize=8)
def _mark(letters: str) -> str:
    """The cell of a square without a piece."""
    return f"{_opening('<td>')}{letters}</td>"


def _opening(cell: str) -> str:
    """The opening tag of a cell, with its styles inlined."""
    return css_inlining.tag(f"{TABLE}<tr>{cell}")
