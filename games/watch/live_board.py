"""The live board of the front pages: the match in which somebody moved last, as everybody sees it.

Which match that is, and its board without scripts, follow from the list of the minute, so a page
needs no query for it most of the time. A script asks for the newest board.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games.play.models.match import Match, Status
from games.play.pictures import small_boards
from games.play.pictures.addresses import small_board_path
from games.play.record.move_numbers import turns_played
from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.watch import listing


class LiveBoard(NamedTuple):
    """A running match at one ply; `mover` is the name of the player to move, "" for none."""

    number: int  # the match id
    preset: str
    ply: int
    opening: int | None
    move: int
    names: str
    mover: str

    @property
    def page(self) -> str:
        """The URL path of the match page."""
        return reverse("play:match", args=[self.number])

    @property
    def image(self) -> str:
        """The URL path of its small board."""
        return small_board_path(self.number, self.ply, self.opening)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the small board."""
        return small_boards.size(registry.ruleset(self.preset))

    @property
    def state(self) -> str:
        """Who is to move, as a sentence."""
        values = {"move": self.move, "player": self.mover}
        return _("After move %(move)s, %(player)s is to move.") % values if self.mover else ""


def shown() -> LiveBoard | None:
    """The board for a page, at most a minute old; None if there is nothing to watch."""
    return _shown_in(int(time.time() // listing.LIFETIME_SECONDS))


def newest() -> LiveBoard | None:
    """The same match as it stands; None if there is nothing to watch. Two queries."""
    number = listing.latest()
    if number is None:
        return None
    matches = Match.objects.filter(pk=number, status=Status.RUNNING)
    match = matches.prefetch_related(listing.both_players()).first()
    return None if match is None else _board(match)


def forget() -> None:
    """Look for a match again for the next page of this process."""
    listing.forget()
    _shown_in.cache_clear()


@lru_cache(maxsize=1)
def _shown_in(minute: int) -> LiveBoard | None:
    return newest()


def _board(match: Match) -> LiveBoard:
    row = listing.row_of(match)
    return LiveBoard(
        number=match.pk,
        preset=match.preset,
        ply=match.ply,
        opening=match.opening,
        move=move_number(turns_played(match)),
        names=" – ".join(str(player.user) for player in match.players.all()),
        mover=str(row.mover.user) if row.mover else "",
    )
