"""Setting up by reply: what the e-mail of a new match shows so that an answer can set up."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.play.board.text_board import empty_rows
from games.play.models.match import Status
from games.play.record.match_view import MatchView
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Rank

TILES_A_LINE = 12  # more than a line of a set-up has, so that none of these is read as one


class SettingUp(NamedTuple):
    """The empty rows to fill in, and the pieces."""

    rows: str  # "" if a set-up is not written as rows
    army: str  # the letters of the pieces, with their numbers
    tiles: list[str]  # lines of dealt tiles, two digits each


def facts(view: MatchView) -> SettingUp | None:
    """What the reader has to set up; None if they have nothing to set up now."""
    seat = view.seat
    if view.match.status != Status.SETUP or seat is None:
        return None
    if not view.my_turn or seat not in view.rules.seats_setting_up:
        return None
    shown, hand = presentation_of(view.rules.family), view.observation.hand[seat] or ()
    return SettingUp(
        rows=empty_rows(view.rules, seat) if shown.setup_rows else "",
        army="" if shown.tiles or not shown.setup_rows else _army(view),
        tiles=_tiles(hand) if shown.tiles else [],
    )


def _tiles(hand: Sequence[Rank]) -> list[str]:
    starts = range(0, len(hand), TILES_A_LINE)
    return [" ".join(hand[start : start + TILES_A_LINE]) for start in starts]


def _army(view: MatchView) -> str:
    army = pgettext("between the words of a list", ", ").join(
        f"{troop.rank} {_(troop.name)}" + (f" ({troop.number})" if troop.number > 1 else "")
        for troop in view.rules.army
    )
    return _("Your army, each piece with its letter: %(army)s.") % {"army": army}
