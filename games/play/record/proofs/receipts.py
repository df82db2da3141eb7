"""Receipts: a player's own army with the secret that seals it, to check and prove it without us."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.record.match_queries import fetch_match
from games.play.record.proofs import contents, signing
from games.play.record.sealed.match_secrets import Secrets
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
    own = [(match, player) for player in players.values() if player.user_id == user.pk]
    if not own or not signing.has_proofs(match):
        raise NoReceipt
    for text in of_players(own).values():
        return text
    raise NoReceipt


def is_to_be_sent(match: Match, player: Player) -> bool:
    """Whether a player may have a receipt, and no e-mail has brought it; no query."""
    sets_up = Seat(player.seat) in match.rules.seats_setting_up
    is_awaited = player.to_act and match.status == Status.SETUP
    return sets_up and not is_awaited and not player.receipt_sent and signing.has_proofs(match)


def of_players(players: Collection[tuple[Match, Player]]) -> dict[int, str]:
    """The receipts of players of matches with proofs, by the player's id; two queries at most.

    Each is for that player only. Those who have none are left out.
    """
    matches = {match.pk: match for match, _player in players}
    plies = Ply.objects.filter(match__in=matches, kind=PlyKind.SETUP)
    setups = {(setup.match_id, setup.seat): setup for setup in plies}
    secrets = contents.secrets_of_all(matches[pk] for pk, _seat in setups)
    text_by_player = {}
    for match, player in players:
        setup = setups.get((match.pk, player.seat))
        if setup is not None and (text := _written(match, secrets.get(match.pk), setup)):
            text_by_player[player.pk] = text
    return text_by_player


def _written(match: Match, secrets: Secrets | None, setup: Ply) -> str:
    """The receipt of the set-up at a ply; "" if it cannot be opened."""
    seat = Seat(int(setup.seat or 0))
    army = contents.sealed_army(match, secrets, setup)
    if match.rules.hidden and army is None:
        return ""
    words = secrets.deal.words[seat] if secrets and secrets.deal else None
    head = signing.signed_head(match, setup.number, bytes(setup.head))
    return write_receipt(match.pk, match.rules, seat, army, words, head.lines)


def file_name(match_id: int) -> str:
    """The name of the file in which a receipt is downloaded and attached."""
    return f"receipt-{match_id}.txt"
