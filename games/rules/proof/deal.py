"""Deal of domino: the tiles set aside follow from a committed seed and the words of both players.

A seed is 32 random bytes, one for each match. Words are one line in NFC, "" for none.
"""

from collections.abc import Sequence
from random import Random

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.proof.hashes import digest, keyed

SEED_BYTES = 32
LONGEST_WORDS_CHARACTERS = 100


def commitment(seed: bytes) -> str:
    """The hash that is shown before the words are known."""
    return digest(f"estafette/seed/1 {seed.hex()}")


def words_hash(words: str) -> str:
    """The hash of a player's words, in which the chain holds them."""
    return digest(f"estafette/words/1 {words}")


def drawn(
    seed: bytes, match: int, seat: str, hashes: Sequence[str], lot: Sequence[Rank], count: int
) -> tuple[Rank, ...]:
    """The first `count` pieces of a lot, in the order in which they are drawn for a seat.

    `hashes` are those of South's and North's words, in this order whatever the seat.
    """
    key = bytes.fromhex(keyed(seed, f"estafette/deal/1 {match} {seat} {' '.join(hashes)}"))
    return tuple(sorted(lot, key=lambda piece: keyed(key, piece))[:count])


def lot_of(rules: Ruleset) -> tuple[Rank, ...]:
    """The pieces among which the lot decides, in the order of the army list; () without a deal."""
    deal = rules.deal
    if deal is None:
        return ()
    return tuple(troop.rank for troop in rules.army if troop.rank not in deal.always)


def aside_count(rules: Ruleset) -> int:
    """How many pieces a deal sets aside for each side; 0 without a deal."""
    if rules.deal is None:
        return 0
    # Any deal shows it; which pieces this one sets aside does not matter.
    return len(rules.deal.aside(rules.start(Random(0)), Seat.SOUTH))  # noqa: S311


def aside(rules: Ruleset, seed: bytes, match: int, words: BySeat[str]) -> BySeat[tuple[Rank, ...]]:
    """The pieces set aside for both seats, each in the order of the army list."""
    hashes = [words_hash(text) for text in words]
    lot, count = lot_of(rules), aside_count(rules)

    def of_seat(seat: Seat) -> tuple[Rank, ...]:
        taken = drawn(seed, match, rules.seat_letters[seat], hashes, lot, count)
        return tuple(sorted(taken, key=lot.index))

    return BySeat(of_seat(Seat.SOUTH), of_seat(Seat.NORTH))
