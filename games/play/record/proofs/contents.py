"""Contents of proofs: the secrets of a match and the set-ups that were sealed, opened together.

Only the bundle and the receipt of a player are made of them; nothing else may import this module.
"""

import logging
from collections.abc import Iterable

from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.sealed import match_secrets
from games.play.record.sealed.match_secrets import Secrets
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text import notation
from games.rules.proof.seals import SealedArmy, ranks_of
from lib.sealing import BrokenSealError

logger = logging.getLogger(__name__)


def secrets_of(match: Match) -> Secrets | None:
    """The secrets of a match; None if it has none, or if they cannot be opened."""
    return secrets_of_all([match]).get(match.pk)


def secrets_of_all(matches: Iterable[Match]) -> dict[int, Secrets]:
    """The secrets of those matches that have some which can be opened, by match id; one query."""
    hidden = [match.pk for match in matches if match.rules.hidden]
    secrets = {}
    for pk, sealed in match_secrets.sealed_secrets(hidden).items() if hidden else ():
        try:
            secrets[pk] = match_secrets.unseal_secrets(pk, sealed)
        except BrokenSealError:
            logger.error("the secrets of match %s cannot be opened", pk)
    return secrets


def sealed_army(match: Match, secrets: Secrets | None, setup: Ply) -> SealedArmy | None:
    """The army of a set-up's ply; None if the game hides nothing, or if it cannot be opened.

    A record that was changed under the service must still be shown, so that the change is found.
    """
    if secrets is None or setup.seat is None:
        return None
    seat = Seat(setup.seat)
    try:
        text = match_store.unseal_ply(match.pk, setup.number, setup.sealed).private
        ranks = ranks_of(match.rules, notation.read_setup(match.rules, seat, text))
    except (BrokenSealError, Refusal):
        logger.error("ply %s of match %s cannot be opened", setup.number, match.pk)
        return None
    return SealedArmy(secrets.seats[seat], ranks)
