"""Presentation of a game: what pages, e-mails and the guide need beyond its rules.

A game without one is drawn in squares and letters and told in the words that all games share.
Words are marked with `gettext_noop` and translated where they are shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from games.presentation.pictures import Pictures
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.basics.termination import Termination
from games.rules.core.ruleset.base import Ruleset


class Points(NamedTuple):
    """A board drawn as points joined by lines, in place of squares.

    A point that cannot be entered is not drawn at all; elsewhere such a square is a lake.
    """

    fortress_of: Seat  # whose set-up rows are tinted as the fortress
    free_rank: Rank  # the piece of that side that may take every line, so that its steps are them


@dataclass(frozen=True)
class EventWords:
    """Words for moves that few games have; "" where a game has no such move.

    A capture without words is told as a plain move.
    """

    huffed: str = ""  # what happened: of `player` and `point`
    huff_label: str = ""  # stands before the name of a piece that may be huffed
    huff_button: str = ""  # of `point`
    huff_button_then_move: str = ""  # of `point`; where a move follows the huff
    huff_prompt: str = ""  # of `square`; what to do after the huff
    captured: Callable[[int], str] | None = None  # by number: of `player`, `count` and `path`
    volley_removed: str = ""  # of `square`
    volley_demoted: str = ""  # of `square`


def no_pictures(rules: Ruleset) -> Pictures:
    """The pictures of a game that brings none of its own."""
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Presentation:
    """How one game is shown and told, where it differs from a plain board of squares.

    Compared and hashed by identity, so that it may be part of a cache's key.
    """

    family: str
    # The drawings of static/svg/army.svg by rank; a piece without one is drawn as its letter.
    symbols: Mapping[Rank, str] = field(default_factory=dict)
    # Whether a rank is two figures, attack and defence, drawn as the halves of a tile.
    tiles: bool = False
    points: Points | None = None
    # A piece for the ear: of `seat` and `piece`, and for a tile `attack` and `defence` too.
    piece_label: str = gettext_noop("%(seat)s %(piece)s")
    # The seats after "you play", where their names need an article.
    played_as: BySeat[str] | None = None
    # How to read the letters of a board in an e-mail: of `south` and `north`.
    legend: str = gettext_noop("Capitals: %(south)s. Small letters: %(north)s.")
    setup_caption: str = gettext_noop("Your side of the board, the front row first")
    # How the text of a set-up is written, a sentence each.
    setup_format: tuple[str, ...] = (
        gettext_noop(
            "Rows from the highest number to the lowest, separated by /; a digit stands for that "
            "many empty squares."
        ),
    )
    # For whoever answers e-mails: a move, as an example; what is no plain move, a sentence each;
    # how a set-up is written, and whether that is its rows, drawn empty and filled in.
    move_example: str = "d4-d5"
    move_answers: tuple[str, ...] = ()
    setup_answer: str = gettext_noop(
        "To set up, write a letter in place of each dot of these rows, and send them back."
    )
    setup_rows: bool = True
    # Why a match ended, for endings whose phrase in records is not what a reader is told.
    endings: Mapping[Termination, str] = field(default_factory=dict)
    events: EventWords = EventWords()
    pictures: Callable[[Ruleset], Pictures] = no_pictures
