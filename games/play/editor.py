"""The set-up editor's table: a select for each square, joined in Python like a board."""

from collections import Counter
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play.arrangement import Arrangement, in_hand
from games.play.boards import emblem
from games.rules.core.army import Rank, Seat
from games.rules.core.ruleset import Ruleset


class InHand(NamedTuple):
    """A line of the hand: a rank, how many there are, and how many are still to be placed."""

    rank: Rank
    emblem: SafeString
    name: str
    total: int
    left: int


class Editor(NamedTuple):
    table: SafeString
    hand: list[InHand]


def editor(
    rules: Ruleset, seat: Seat, placed: Arrangement, hand: tuple[Rank, ...] | None
) -> Editor:
    """The form's parts for an army as far as it is placed; the owner's front row comes first."""
    total, left = Counter(hand), in_hand(hand or (), placed)
    names = {troop.rank: _(troop.name) for troop in rules.army}
    lines = [
        InHand(rank, emblem(rules, seat, rank), name, total[rank], left.get(rank, 0))
        for rank, name in names.items()
    ]
    return Editor(_table(rules, seat, placed, names), lines)


def _table(rules: Ruleset, seat: Seat, placed: Arrangement, names: dict[Rank, str]) -> SafeString:
    rows = list(rules.setup_rows(seat))
    board = rules.board
    files = range(board.files)
    if seat is Seat.NORTH:
        rows, files = rows[::-1], files[::-1]
    head = "".join(f'<th scope="col">{board.squares[file][0]}</th>' for file in files)
    html = [
        f'<div class="board-frame"><table class="board {rules.family} setup files-{board.files}">'
        f"<caption>{escape(_('Your side of the board, the front row first'))}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>"
    ]
    for row in rows:
        html.append(f'<tr><th scope="row">{row}</th>')
        for file in files:
            square = board.names[board.row(row)[file]]
            options = _options(placed.get(square, ""), names)
            html.append(
                f'<td data-square="{square}"><select name="{square}" aria-label="{square}">'
                f"{options}</select></td>"
            )
        html.append("</tr>")
    html.append("</tbody></table></div>")
    return mark_safe("".join(html))  # noqa: S308 - joined from escaped parts


def _options(chosen: Rank, names: dict[Rank, str]) -> str:
    options = ['<option value=""></option>']
    for rank, name in names.items():
        selected = " selected" if rank == chosen else ""
        options.append(f'<option value="{rank}"{selected}>{rank} {escape(name)}</option>')
    return "".join(options)
