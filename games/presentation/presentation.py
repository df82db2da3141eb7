"""Presentation of a game: the drawings and words that pages, e-mails and the guide need.

A game without one is drawn as squares and letters, with the words that all games share. Words are
marked with `gettext_noop` and translated where they are shown.
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
    """A board drawn as points joined by lines instead of squares.

    A point that cannot be entered is not drawn; on other boards such a square is a lake.
    """

    fortress_of: Seat  # the side whose set-up rows are tinted as the fortress
    free_rank: Rank  # a piece of that side that may use every line, so its steps are the lines


@dataclass(frozen=True)
class EventWords:
    """Words for moves that few games have; "" if the game has no such move.

    A capture without words is described as a plain move. The comments name the placeholders.
    """

    huffed: str = ""  # what happened: `player`, `point`
    huff_label: str = ""  # before the name of a piece that may be huffed
    huff_button: str = ""  # `point`
    huff_button_then_move: str = ""  # `point`; if a move follows the huff
    huff_prompt: str = ""  # `square`; what to do after the huff
    captured: Callable[[int], str] | None = None  # by count: `player`, `count`, `path`
    volley_removed: str = ""  # `square`
    volley_demoted: str = ""  # `square`


def no_pictures(rules: Ruleset) -> Pictures:
    """The pictures of a game without any."""
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Presentation:
    """How one game is shown and described, where it differs from a plain board of squares.

    Compared and hashed by identity, so that it can be part of a cache key.
    """

    family: str
    # The drawings in static/svg/army.svg by rank; a piece without one is drawn as its letter.
    symbols: Mapping[Rank, str] = field(default_factory=dict)
    # Whether a rank is two digits, attack and defence, drawn as the halves of a tile.
    tiles: bool = False
    points: Points | None = None
    # The label of a piece for screen readers: `seat` and `piece`; for a tile `attack`, `defence`.
    piece_label: str = gettext_noop("%(seat)s %(piece)s")
    # The seats after "you play", where their names need an article.
    played_as: BySeat[str] | None = None
    # How to read the letters of a board in an e-mail: `south`, `north`.
    legend: str = gettext_noop("Capitals: %(south)s. Small letters: %(north)s.")
    setup_caption: str = gettext_noop("Your side of the board, the front row first")
    # How the text of a set-up is written, in sentences.
    setup_format: tuple[str, ...] = (
        gettext_noop(
            "Rows from the highest number to the lowest, separated by /; a digit stands for that "
            "many empty squares."
        ),
    )
    # For answers to e-mails: an example of a move; sentences on moves of other forms; how to write
    # a set-up, and whether that is done by filling in empty rows.
    move_example: str = "d4-d5"
    move_answers: tuple[str, ...] = ()
    setup_answer: str = gettext_noop(
        "To set up, write a letter in place of each dot of these rows, and send them back."
    )
    setup_rows: bool = True
    # Why a match ended, for endings whose words differ from the phrase in records.
    endings: Mapping[Termination, str] = field(default_factory=dict)
    events: EventWords = EventWords()
    pictures: Callable[[Ruleset], Pictures] = no_pictures
