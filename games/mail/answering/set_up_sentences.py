"""Proposed set-ups as one sentence per row, so that a quoted proposal is not parsed as a set-up."""

from django.utils.translation import gettext as _

from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.board import FILE_LETTERS
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset


def row_sentences(rules: Ruleset, seat: Seat, placed: Arrangement) -> tuple[str, ...]:
    """One sentence per row, front row first, from left to right as the owner sees them."""
    files, numbers = FILE_LETTERS[: rules.board.files], list(rules.setup_rows(seat))
    if seat is Seat.NORTH:
        files, numbers = files[::-1], numbers[::-1]
    words = _("Row %(row)s, from %(first)s to %(last)s: %(pieces)s")
    return tuple(
        words
        % {
            "row": number,
            "first": files[0],
            "last": files[-1],
            "pieces": " ".join(placed.get(f"{file}{number}", ".") for file in files),
        }
        for number in numbers
    )
