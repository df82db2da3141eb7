"""Signing: heads of matches are signed by the first of PROOF_KEYS when they are shown (Ed25519)."""

from functools import cache
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from games.play.models.match import Match
from games.play.record import hash_chain, match_view
from games.play.record.match_view import MatchView
from games.rules.proof import chain


class SignedHead(NamedTuple):
    """A statement about the head of a match at one ply, and its signature of 128 hex digits."""

    statement: str
    signature: str

    @property
    def lines(self) -> tuple[str, str]:
        """The two proof lines, as e-mails, receipts and bundles show them."""
        return chain.proof_lines(self.statement, self.signature)


def has_proofs(match: Match) -> bool:
    """Whether a match began since there are proofs."""
    return match.chain == hash_chain.WITH_PROOFS


def signed_head(match: Match, number: int, head: bytes) -> SignedHead:
    """The head of a match at a ply, signed."""
    statement = chain.statement(match.pk, number, head.hex())
    return SignedHead(statement, sign(statement))


def shown_head(view: MatchView) -> SignedHead | None:
    """The head at the ply that a view shows, signed; None if the match has no proofs."""
    if not has_proofs(view.match):
        return None
    return signed_head(view.match, view.number, view.head)


def newest_head(match: Match) -> SignedHead | None:
    """The head at the newest ply, signed; None if the match has no proofs. One query."""
    if not has_proofs(match):
        return None
    return signed_head(match, match.ply, match_view.newest_head(match))


def sign(statement: str) -> str:
    """The signature of an ASCII statement by the first key, in hexadecimal."""
    return _private_key(str(settings.PROOF_KEYS[0])).sign(statement.encode()).hex()


def public_keys() -> list[str]:
    """The public keys in hexadecimal, the newest first."""
    return [
        _private_key(str(key)).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        for key in settings.PROOF_KEYS
    ]


@cache
def _private_key(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))
