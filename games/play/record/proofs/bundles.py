"""Bundles: all that anybody needs to check a match offline, as one file (docs/proofs.md)."""

import logging

from games.play.models.kind import PlyKind
from games.play.models.ply import Ply
from games.play.record import hash_chain
from games.play.record.match_queries import fetch_match
from games.play.record.proofs import contents, signing
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.proof.bundle import Proven, write_bundle

logger = logging.getLogger(__name__)


class NoProof(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The match began before there were proofs."""


def bundle(match_id: int) -> str:
    """The bundle of a match, the same for everybody; three queries.

    It opens what docs/proofs.md lists, and nothing else. Raises Match.DoesNotExist and NoProof.
    """
    match, _players, at = fetch_match(match_id)
    if not signing.has_proofs(match):
        raise NoProof
    secrets = contents.secrets_of(match)
    lines = [hash_chain.first_line(match, secrets.public_deal if secrets else None)]
    armies = {}
    plies = Ply.objects.filter(match=match_id, number__range=(1, match.ply)).order_by("number")
    for ply in plies.defer("head"):
        link = hash_chain.Link(ply.number, ply.seat, ply.kind, ply.text, ply.at, ply.extra)
        lines.append(link.line())
        if ply.kind == PlyKind.SETUP and (army := contents.sealed_army(match, secrets, ply)):
            armies[Seat(int(ply.seat or 0))] = army
    seed = secrets.deal.seed if secrets and secrets.deal else None
    proven = Proven(match_id, match.rules, lines, armies, seed, time_is_final=match.is_open(at))
    try:
        return write_bundle(proven, signing.public_keys(), signing.sign)
    except (Refusal, LookupError, ValueError):
        # A ply does not fit the board: somebody changed the record under the service. The bundle
        # still shows it, opens nothing, and so does not hold.
        logger.error("the plies of match %s cannot be followed", match_id)
        unopened = Proven(match_id, match.rules, lines, {}, None, time_is_final=False)
        return write_bundle(unopened, signing.public_keys(), signing.sign)


def file_name(match_id: int) -> str:
    """The name of the file in which a bundle is downloaded."""
    return f"match-{match_id}.proof"
