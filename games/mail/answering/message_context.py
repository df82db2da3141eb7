"""Message context: a player's message with everything that its commands need to know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from games.notifications.email.replies import shown_offers
from games.notifications.email.replies.shown_offers import NONE as NO_OFFERS
from games.notifications.email.replies.shown_offers import Offers
from games.notifications.models import Asks, Purpose, ReplyAddress
from games.play.record.match_view import MatchView, view_match


@dataclass(frozen=True)
class MessageContext:
    """The player who wrote a message, what it replies to, and when it arrived."""

    user: User
    purpose: Purpose
    arrived: datetime
    now: datetime
    match_id: int | None = None
    ply: int | None = None
    invitation_id: int | None = None
    matches: dict[int, int] = field(default_factory=dict)  # of a digest: match id to ply
    offers: dict[int, Offers] = field(default_factory=dict)  # that the e-mail showed, by match
    address_id: int | None = None  # of the e-mail's ReplyAddress
    asks: Asks = Asks.NOTHING
    proposal: str = field(default="", repr=False)
    is_long_over: bool = False  # the match ended so long ago that little can be answered
    own_lines: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def from_reply_address(cls, address: ReplyAddress, **fields: Any) -> MessageContext:
        """The context of a reply to the e-mail that has this address."""
        return cls(
            user=address.user,
            address_id=address.pk,
            purpose=Purpose(address.purpose),
            match_id=address.match_id,
            ply=address.ply,
            invitation_id=address.invitation_id,
            matches={int(number): ply for number, ply in address.matches.items()},
            offers=shown_offers.from_json(address.offers),
            asks=Asks(address.asks),
            **fields,
        )

    def for_match(self, match_id: int, ply: int) -> MessageContext:
        """The same context for one match of a digest."""
        return replace(self, match_id=match_id, ply=ply)

    @property
    def shown_offers(self) -> Offers:
        """The opponent's offers in this match, as far as the e-mail showed them."""
        return self.offers.get(self.match_id or 0, NO_OFFERS)

    @property
    def waited(self) -> timedelta:
        """Time since the message arrived."""
        return max(self.now - self.arrived, timedelta(0))

    def view(self) -> MatchView:
        """The match as the player sees it now; raises Match.DoesNotExist."""
        assert self.match_id is not None  # noqa: S101 - only called with a match
        return view_match(self.match_id, self.user)
