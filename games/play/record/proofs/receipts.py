"""Receipts: a player's own army with the secret that seals it, to check and prove it without us."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record.match_queries import fetch_match
from games.play.record.proofs import contents, signing
from games.rules.core.basics.pieces import Seat
from games.rules.proof.bundle import write_receipt

if TYPE_CHECKING:
    from accounts.models import User


class NoReceipt(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The reader has no seat in the match, has not set up yet, or it began before proofs."""


def receipt(match_id: int, user: User) -> str:
    """The receipt of a user's own seat; three queries.

    Raises Match.DoesNotExist and NoReceipt.
    """
    match, players, _at = fetch_match(match_id)
    seat = next((seat for seat, player in players.items() if player.user_id == user.pk), None)
    if seat is None or not signing.has_proofs(match):
        raise NoReceipt
    return of_seat(match, seat)


def of_seat(match: Match, seat: Seat) -> str:
    """The receipt of a seat, for its player only; two queries. Raises NoReceipt."""
    setup = Ply.objects.filter(match=match.pk, seat=seat, kind=PlyKind.SETUP).first()
    if setup is None:
        raise NoReceipt
    secrets = contents.secrets_of(match)
    army = contents.sealed_army(match, secrets, setup)
    if match.rules.hidden and army is None:
        raise NoReceipt
    words = secrets.deal.words[seat] if secrets and secrets.deal else None
    head = signing.signed_head(match, setup.number, bytes(setup.head))
    return write_receipt(match.pk, match.rules, seat, army, words, head.lines)


def file_name(match_id: int) -> str:
    """The name of the file in which a receipt is downloaded and attached."""
    return f"receipt-{match_id}.txt"
