"""A player's own set-ups, as sent in matches, for that player only.

They are read from the plies. A digest of each in a column would be faster to compare. But a copy of
the database would then show that the hidden army of a running match is the same as one that a
finished match has made public.
"""

from collections.abc import Collection
from typing import NamedTuple, cast

from django.db.models import F

from games.play.models.kind import PlyKind
from games.play.models.match import Status
from games.play.models.ply import Ply
from games.play.record.match_store import unseal_ply
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset

MAX_SETUPS = 500  # the newest ones are read


class SentSetup(NamedTuple):
    """A set-up that the player has sent, and the result of its match."""

    match_id: int
    rules: Ruleset
    seat: Seat
    text: str
    result: str  # of the match, "" if it has none

    @property
    def won(self) -> bool | None:
        """None if the match was drawn or has no result."""
        if self.result in ("", "draw"):
            return None
        return Seat(self.rules.seat_letters.index(self.result)) is self.seat


def sent_by(
    user_id: int, presets: Collection[str], *, against: int | None = None, finished: bool = False
) -> list[SentSetup]:
    """Set-ups sent in matches with these presets that both players set up, newest first; one query.

    `against` is the opponent's id; with `finished`, matches alone that have a result.
    """
    # Those of matches that are over are never on turn; named so that an index has their order.
    over = {"match__players__live": False, "match__players__to_act": False} if finished else {}
    own = Ply.objects.filter(
        kind=PlyKind.SETUP,
        seat=F("match__players__seat"),
        number__lte=F("match__opening"),
        match__players__user=user_id,
        match__preset__in=presets,
        **over,
    )
    if finished:
        own = own.filter(match__status=Status.FINISHED)
    if against is not None:
        own = own.filter(match__players__user=against)
    terms = ("match__preset", "match__switches", "match__result")
    rows = own.order_by("-match_id").values_list("match_id", "number", "seat", "sealed", *terms)
    return [
        SentSetup(
            match_id,
            registry.ruleset(preset, switches),
            Seat(cast("int", seat)),
            unseal_ply(match_id, number, sealed).private,
            result,
        )
        for match_id, number, seat, sealed, preset, switches, result in rows[:MAX_SETUPS]
    ]
