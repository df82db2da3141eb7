"""Set-up editor: the form's table with a select for each square, joined in Python like a board."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play.board import boards, pieces
from games.play.setups.arrangement import Arrangement, in_hand, ways
from games.presentation.registry import presentation_of
from games.rules.core.observation import SeenPiece
from games.rules.core.pieces import Rank, Seat
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
    written: str  # how the text of a set-up is written
    lines: int  # of that text
    turns: bool  # whether a piece can stand in two ways


def editor(
    rules: Ruleset,
    seat: Seat,
    placed: Arrangement,
    hand: tuple[Rank, ...],
    standing: Mapping[str, SeenPiece],
) -> Editor:
    """The form's parts for an army as far as it is placed; the owner's front row comes first.

    `hand` are the owner's pieces, `standing` what stands on the board already.
    """
    total, left = Counter(hand), in_hand(hand, placed)
    # A tile that was never dealt may come from a text; it is shown until the rules refuse it.
    lines = [
        InHand(
            rank, pieces.emblem(rules, seat, rank), _(rules.piece_names[rank]), total[rank], rest
        )
        for rank, rest in left.items()
    ]
    turns = any(len(ways(rules, rank)) > 1 for rank in total)
    written = " ".join(_(words) for words in presentation_of(rules.family).setup_format)
    shown = _table(rules, seat, placed, lines, standing)
    return Editor(shown, lines, written, max(rules.depth, 1), turns)


def _table(
    rules: Ruleset,
    seat: Seat,
    placed: Arrangement,
    hand: list[InHand],
    standing: Mapping[str, SeenPiece],
) -> SafeString:
    options = [
        (rank, f"{rank} {escape(_described(rules, rank, line.name))}")
        for line in hand
        for rank in ways(rules, line.rank)
    ]
    return boards.table(
        rules,
        standing,
        caption=_(presentation_of(rules.family).setup_caption),
        turned=seat is Seat.NORTH,
        fields={
            square: mark_safe(  # noqa: S308 - joined from escaped parts
                f'<select name="{square}" aria-label="{square}">'
                f"{_options(placed.get(square, ''), options)}</select>"
            )
            for square in rules.zone(seat)
        },
    )


def _options(chosen: Rank, options: list[tuple[Rank, str]]) -> str:
    listed = ['<option value=""></option>']
    for rank, words in options:
        selected = " selected" if rank == chosen else ""
        listed.append(f'<option value="{rank}"{selected}>{words}</option>')
    return "".join(listed)


def _described(rules: Ruleset, rank: Rank, name: str) -> str:
    """A piece as an option names it; a tile by what it is the way it would stand."""
    if not presentation_of(rules.family).tiles:
        return name
    facts = {"attack": rank[0], "defence": rank[1]}
    return _("attack %(attack)s, defence %(defence)s") % facts
