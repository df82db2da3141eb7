"""Offers that an e-mail shows: "accept" and "decline" answer these, and none made since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.play.models.match import Match
from games.play.record.match_view import MatchView


class Offers(NamedTuple):
    """The numbers of the opponent's offers in a match (Match.draws_offered, pauses_offered).

    0 means no offer. Each offer of a match has its own number, so two differ even at one ply.
    """

    draw: int = 0
    pause: int = 0

    def common(self, others: Offers) -> Offers:
        """Those of these offers that are among the others as well."""
        return Offers(
            draw=self.draw if self.draw == others.draw else 0,
            pause=self.pause if self.pause == others.pause else 0,
        )


NONE = Offers()


def open_to(match: Match, seat: int | None) -> Offers:
    """The offers that the player of this seat may accept now."""
    if seat is None or not match.is_live:
        return NONE
    return Offers(
        draw=0 if match.draw_offer in (None, seat) else match.draws_offered,
        pause=0 if match.pause_offer in (None, seat) else match.pauses_offered,
    )


def open_in(view: MatchView) -> dict[int, Offers]:
    """The offers that an e-mail about this view shows, by the number of the match."""
    return without_none({view.match.pk: open_to(view.match, view.seat)})


def without_none(offers: Mapping[int, Offers]) -> dict[int, Offers]:
    return {match: each for match, each in offers.items() if any(each)}


def as_json(offers: Mapping[int, Offers]) -> dict[str, list[int]]:
    """The form in which a reply address stores them."""
    return {str(match): list(each) for match, each in sorted(offers.items())}


def from_json(stored: Any) -> dict[int, Offers]:
    """What `as_json` wrote; none for the address of an earlier version, which has null."""
    return {int(match): Offers(*each) for match, each in (stored or {}).items()}
