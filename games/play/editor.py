"""The set-up editor's table: a select for each square, joined in Python like a board."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play import boards
from games.play.arrangement import Arrangement, in_hand, ways
from games.rules.core.army import Rank, Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

ROWS = gettext_noop(
    "Rows from the highest to the lowest with / between them; a figure counts empty squares."
)
# What is read besides, see games/rules/aliases.py.
ALIASES = {
    "lattaque": gettext_noop(
        "Set-ups in the letters of Gravon and StraDos and in the numbers of the Chinese edition"
        " are read too."
    ),
}
# How the text of a set-up is written, where it is not in rows of letters.
WRITTEN = {
    "domino": gettext_noop(
        "Rows from the highest to the lowest with / between them; two figures a tile, its attack"
        " and its defence, and -- for an empty square."
    ),
    "assaut": gettext_noop("Two points of the fortress with a comma between them, as in c6,e6."),
}


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
            rank, boards.emblem(rules, seat, rank), _(rules.piece_names[rank]), total[rank], rest
        )
        for rank, rest in left.items()
    ]
    turns = any(len(ways(rules, rank)) > 1 for rank in total)
    written = _(WRITTEN.get(rules.family, ROWS))
    if rules.family in ALIASES:
        written = f"{written} {_(ALIASES[rules.family])}"
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
        caption=_("Your side of the board, the front row first")
        if rules.hidden
        else _("The board as it stands; your officers go into the fortress"),
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
    """A piece as an option names it; a domino by what it is the way it would stand."""
    if rules.family != "domino":
        return name
    facts = {"attack": rank[0], "defence": rank[1]}
    return _("attack %(attack)s, defence %(defence)s") % facts
