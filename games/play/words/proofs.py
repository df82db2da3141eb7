"""Sentences about proofs and about looks of staff, for pages and e-mails."""

from datetime import datetime
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.play.models.kind import PlyKind
from games.play.models.look import Look
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.rules.core.basics.pieces import Seat

MAX_SHOWN_LOOKS = 10  # of a match, the newest first


class SealedSetup(NamedTuple):
    """When the set-up of a player was sealed."""

    player: str
    at: datetime
    is_own: bool


class ProofFacts(NamedTuple):
    """What the proof page says of a match that has proofs."""

    setups: tuple[SealedSetup, ...]  # in the order in which they were sent
    battles: int  # each opened both its pieces
    head: str  # the newest fingerprint, 64 digits
    has_receipt: bool  # whether the reader can download one


def proof_facts(view: MatchView) -> ProofFacts:
    """The facts of the newest ply; two queries. `view` shows that ply."""
    match = view.match
    entries = match_view.entries(match, 1, match.opening or match.ply)
    setups = tuple(
        SealedSetup(view.sides[Seat(entry.seat)], entry.at, entry.seat == view.seat)
        for entry in entries
        if entry.kind == PlyKind.SETUP and entry.seat is not None
    )
    fought = len(match_view.battles(match)) if match.rules.hidden else 0
    has_receipt = any(setup.is_own for setup in setups)
    return ProofFacts(setups, fought, view.head.hex(), has_receipt)


def looks(match: Match) -> list[str]:
    """Who of the staff has looked at both armies of a match, when and why, newest first.

    One query, and none if nobody has.
    """
    if not match.looks:
        return []
    agreed = match.looked_at.filter(ply__isnull=False).select_related("asker", "agreed_by")
    return [_look(one) for one in agreed.order_by("-ply")[:MAX_SHOWN_LOOKS]]


def _look(look: Look) -> str:
    words = _(
        "%(asker)s looked at both armies, and %(second)s agreed to it, on %(time)s. Reason: "
        "%(reason)s"
    )
    at = date_format(localtime(look.agreed_at), "DATETIME_FORMAT")
    return words % {
        "asker": look.asker,
        "second": look.agreed_by,
        "time": at,
        "reason": look.reason,
    }
