"""Limits of draw and pause offers: another one only after the sender's next three moves.

Each offer is an e-mail to the opponent.
"""

from games.play.models.kind import PlyKind
from games.play.models.ply import Ply
from games.rules.core.basics.pieces import Seat

MOVES_BETWEEN = 3


def may_offer_again(match_id: int, seat: Seat, last_ply: int | None) -> bool:
    """Whether a seat has moved three times since its last offer, made after `last_ply`."""
    if last_ply is None:
        return True
    moves = Ply.objects.filter(match=match_id, number__gt=last_ply, seat=seat, kind=PlyKind.MOVE)
    return len(moves.values_list("number")[:MOVES_BETWEEN]) == MOVES_BETWEEN
