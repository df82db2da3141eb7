"""Set-up editor: the board on which an army is placed by taps or by lists, as HTML."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play.board import boards, pieces
from games.play.setups import arrangement
from games.play.setups.arrangement import in_hand, ways
from games.play.setups.editing import HAND, Editing
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset
from lib.sentences import in_a_row

BY_LISTS = "lists"  # the value of `by` in an address or a form: a list of pieces in each square


class InHand(NamedTuple):
    """A kind of unplaced piece: a rank, how many there are, and how many are still to be placed."""

    rank: Rank
    tap: str
    emblem: SafeString
    name: str
    total: int
    left: int


class Editor(NamedTuple):
    table: SafeString
    hand: list[InHand]
    status: str  # the next thing to do, in a sentence
    chosen: str
    steps: str  # how many steps can be undone
    empty: bool  # whether no piece is placed
    by_lists: bool
    written: str  # how the text of a set-up is written
    lines: int  # of that text
    signs: str  # the script's format of the text, see docs/board-markup.md
    turns: bool  # whether a piece has two orientations


def editor(
    rules: Ruleset,
    seat: Seat,
    now: Editing,
    hand: tuple[Rank, ...],
    standing: Mapping[str, SeenPiece],
    *,
    by: str = "",
) -> Editor:
    """The form's parts for a possibly unfinished army; the owner's front row comes first.

    `hand` are the owner's pieces, `standing` the other pieces on the board.
    """
    total, left = Counter(hand), in_hand(hand, now.placed)
    # A text may place a tile that was not dealt; it is shown until the rules refuse it.
    lines = [
        InHand(
            rank,
            HAND + rank,
            pieces.emblem(rules, seat, rank),
            _(rules.piece_names[rank]),
            total[rank],
            rest,
        )
        for rank, rest in left.items()
    ]
    by_lists = by == BY_LISTS
    return Editor(
        table=boards.table(
            rules,
            standing,
            caption=_(presentation_of(rules.family).setup_caption),
            turned=seat is Seat.NORTH,
            marks={now.chosen: ["chosen"]},
            fields=_lists(rules, seat, now, lines) if by_lists else _taps(rules, seat, now),
        ),
        hand=lines,
        status=_status(rules, now, lines),
        chosen=now.chosen,
        steps=now.steps(),
        empty=not now.placed,
        by_lists=by_lists,
        written=in_a_row(_(words) for words in presentation_of(rules.family).setup_format),
        lines=max(rules.depth, 1),
        signs=_signs(rules, seat),
        turns=any(len(ways(rules, rank)) > 1 for rank in total),
    )


def _status(rules: Ruleset, now: Editing, lines: list[InHand]) -> str:
    """What to do next, in a sentence; static/js/setup.js says the same."""
    if now.chosen in now.placed:
        name = _(rules.piece_names[now.placed[now.chosen]])
        return _("%s is chosen. Choose its square.") % f"{name} ({now.chosen})"
    for line in lines:
        if line.tap == now.chosen:
            return _("%s is chosen. Choose its square.") % line.name
    waiting = sum(max(line.left, 0) for line in lines)
    return _("%s left to place.") % waiting if waiting else _("All pieces are placed.")


def _signs(rules: Ruleset, seat: Seat) -> str:
    """How the text shows empty squares, for the script.

    `squares`: only taken ones are named; `--`: each empty one is `--`; `runs`: they are counted.
    """
    empty = arrangement.to_text(rules, seat, {})
    return "squares" if not empty else "--" if "--" in empty else "runs"


def _taps(rules: Ruleset, seat: Seat, now: Editing) -> dict[str, SafeString]:
    """For each square a button, and a hidden field with its piece."""
    looks = pieces.faces(rules, [SeenPiece(seat, rank) for rank in set(now.placed.values())])
    cells = {}
    for square in rules.zone(seat):
        rank = now.placed.get(square, "")
        pressed = ' aria-pressed="true"' * (square == now.chosen)
        if rank:
            face = looks[SeenPiece(seat, rank)]
            shown = f' class="{face.classes}" aria-label="{face.label}"{pressed}>{face.inside}'
        else:
            label = escape(_("%(square)s, empty") % {"square": square})
            shown = f' aria-label="{label}">·'
        cells[square] = mark_safe(  # noqa: S308 - joined from escaped parts
            f'<button name="tap" value="{square}"{shown}</button>'
            f'<input type="hidden" name="{square}" value="{escape(rank)}">'
        )
    return cells


def _lists(rules: Ruleset, seat: Seat, now: Editing, hand: list[InHand]) -> dict[str, SafeString]:
    """For each square a list of the pieces."""
    options = [
        (rank, f"{rank} {escape(_described(rules, rank, line.name))}")
        for line in hand
        for rank in ways(rules, line.rank)
    ]
    return {
        square: mark_safe(  # noqa: S308 - joined from escaped parts
            f'<select name="{square}" aria-label="{square}">'
            f"{_options(now.placed.get(square, ''), options)}</select>"
        )
        for square in rules.zone(seat)
    }


def _options(chosen: Rank, options: list[tuple[Rank, str]]) -> str:
    listed = ['<option value=""></option>']
    for rank, words in options:
        selected = " selected" if rank == chosen else ""
        listed.append(f'<option value="{rank}"{selected}>{words}</option>')
    return "".join(listed)


def _described(rules: Ruleset, rank: Rank, name: str) -> str:
    """The text of an option for a piece; a tile by its numbers in that orientation."""
    if not presentation_of(rules.family).tiles:
        return name
    values = {"attack": rank[0], "defence": rank[1]}
    return _("attack %(attack)s, defence %(defence)s") % values
