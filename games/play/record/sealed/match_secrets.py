"""Match secrets: what the proofs of a match rest on, sealed; and seeds that are drawn beforehand.

Nobody sees a secret or a seed before the match is over, except the players, each their own secret.
"""

import json
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from games.play.models.match_secrets import MatchSecrets
from games.play.record.sealed.sealing import seal, unseal
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.proof import deal
from games.rules.proof.seals import SECRET_BYTES

NO_WORDS = BySeat("", "")
Sealed = bytes | memoryview


class Deal(NamedTuple):
    """What a deal follows from: a seed of 32 bytes, and the words of both players in clear.

    `hashes` are those of the words. They stay when the words are erased with their player.
    """

    seed: bytes
    words: BySeat[str]
    hashes: BySeat[str]

    def __repr__(self) -> str:
        return "<Deal>"

    @property
    def public(self) -> tuple[str, str, str]:
        """The commitment to the seed and the hashes of the words, as ply 0 has them."""
        return (deal.commitment(self.seed), *self.hashes)


class Secrets(NamedTuple):
    """The secret of each seat, 32 bytes, and the deal, if pieces are dealt in this game."""

    seats: BySeat[bytes]
    deal: Deal | None

    def __repr__(self) -> str:
        return "<Secrets>"

    @property
    def public_deal(self) -> tuple[str, str, str] | None:
        """The deal as ply 0 has it."""
        return None if self.deal is None else self.deal.public


def seal_context(match_id: int) -> str:
    """The context to which the secrets of a match are sealed."""
    return f"proof/{match_id}"


def draw(rules: Ruleset, seed: bytes | None = None, words: BySeat[str] = NO_WORDS) -> Secrets:
    """New secrets for a match of a game that hides something; a seed is drawn unless given."""
    seats = BySeat(secrets.token_bytes(SECRET_BYTES), secrets.token_bytes(SECRET_BYTES))
    if rules.deal is None:
        return Secrets(seats, None)
    hashes = BySeat(*(deal.words_hash(text) for text in words))
    return Secrets(seats, Deal(seed or secrets.token_bytes(deal.SEED_BYTES), words, hashes))


def store(match_id: int, drawn: Secrets) -> None:
    """Store the secrets of a match that has just been opened."""
    MatchSecrets.objects.create(match_id=match_id, sealed=_sealed(match_id, drawn))


def read(match_id: int, *, alias: str = "default") -> Secrets | None:
    """The secrets of a match; None if it has none. Raises BrokenSealError."""
    rows = MatchSecrets.objects.using(alias).filter(match=match_id)
    sealed = rows.values_list("sealed", flat=True).first()
    return None if sealed is None else unseal_secrets(match_id, sealed)


def sealed_secrets(match_ids: Iterable[int]) -> dict[int, Sealed]:
    """The secrets of these matches, still sealed, by match id; one query."""
    rows = MatchSecrets.objects.filter(match__in=match_ids)
    return dict(rows.values_list("match", "sealed"))


def unseal_secrets(match_id: int, sealed: Sealed) -> Secrets:
    """The secrets of a match. Raises BrokenSealError."""
    fields = json.loads(unseal(sealed, seal_context(match_id)))
    seats = BySeat(*map(bytes.fromhex, fields["seats"]))
    if not fields["seed"]:
        return Secrets(seats, None)
    dealt = Deal(bytes.fromhex(fields["seed"]), BySeat(*fields["words"]), BySeat(*fields["hashes"]))
    return Secrets(seats, dealt)


def erase_words(match_id: int, seat: Seat) -> None:
    """Forget what a player typed for the deal; its hash stays, so every proof is the same."""
    stored = read(match_id)
    if stored is None or stored.deal is None or not stored.deal.words[seat]:
        return
    kept = stored._replace(deal=stored.deal._replace(words=stored.deal.words.put(seat, "")))
    MatchSecrets.objects.filter(match=match_id).update(sealed=_sealed(match_id, kept))


def _sealed(match_id: int, drawn: Secrets) -> bytes:
    fields = {
        "seats": [secret.hex() for secret in drawn.seats],
        "seed": drawn.deal.seed.hex() if drawn.deal else "",
        "words": list(drawn.deal.words) if drawn.deal else [],
        "hashes": list(drawn.deal.hashes) if drawn.deal else [],
    }
    return seal(json.dumps(fields), seal_context(match_id))


# --- seeds that are drawn with an offer, before its match is opened


class SealedSeeds(NamedTuple):
    """Seeds for the matches of an offer: sealed, and the public commitments, parted by blanks."""

    sealed: bytes
    commitments: str


NO_SEEDS = SealedSeeds(b"", "")


def draw_seeds(rules: Ruleset, count: int) -> SealedSeeds:
    """Seeds for this many matches; NO_SEEDS in a game without a deal."""
    if rules.deal is None:
        return NO_SEEDS
    seeds = [secrets.token_bytes(deal.SEED_BYTES) for _ in range(count)]
    commitments = " ".join(map(deal.commitment, seeds))
    text = " ".join(seed.hex() for seed in seeds)
    return SealedSeeds(seal(text, _seeds_context(commitments)), commitments)


def open_seeds(drawn: SealedSeeds) -> list[bytes]:
    """The seeds; empty for NO_SEEDS. Raises BrokenSealError."""
    if not drawn.sealed:
        return []
    text = unseal(drawn.sealed, _seeds_context(drawn.commitments))
    return [bytes.fromhex(part) for part in text.split()]


def _seeds_context(commitments: str) -> str:
    return f"seeds/{commitments}"
