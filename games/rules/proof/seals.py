"""Seals: each square of a set-up is hashed with a nonce of its own, so that it can be opened alone.

A seat is written as its letter here, `S` or `N`. A secret is 32 random bytes, one for each seat of
a match. docs/proofs.md has the formats.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import Rank
from games.rules.core.ruleset.base import Ruleset
from games.rules.proof.hashes import digest, keyed

SECRET_BYTES = 32
GAP = "-"  # the rank of an empty square


class SealedArmy(NamedTuple):
    """A set-up with the secret that seals it: a rank for each square of the zone, in order."""

    secret: bytes
    ranks: tuple[Rank, ...]

    def __repr__(self) -> str:
        return f"<SealedArmy of {len(self.ranks)} squares>"


def nonce(secret: bytes, match: int, seat: str, square: str) -> str:
    """The nonce of one square."""
    return keyed(secret, f"estafette/nonce/1 {match} {seat} {square}")


def leaf(match: int, seat: str, square: str, rank: Rank, nonce: str) -> str:
    """The seal of one square. It is all of a hidden rank that leaves the service."""
    return digest(f"estafette/piece/1 {match} {seat} {square} {rank} {nonce}")


def leaves(match: int, seat: str, zone: Iterable[str], army: SealedArmy) -> list[str]:
    """The seals of all squares of a zone, in its order."""
    return [
        leaf(match, seat, square, rank, nonce(army.secret, match, seat, square))
        for square, rank in zip(zone, army.ranks, strict=True)
    ]


def army_hash(match: int, seat: str, seals: Sequence[str]) -> str:
    """The hash of all seals of a side, which its set-up in the chain holds."""
    return digest(f"estafette/army/1 {match} {seat} {' '.join(seals)}")


def ranks_of(rules: Ruleset, setup: Setup) -> tuple[Rank, ...]:
    """The rank on each square of a set-up's zone, in its order; GAP for an empty one."""
    index = rules.board.index
    return tuple(
        rules.rank_of(setup.cells[index[square]]) or GAP for square in rules.zone(setup.seat)
    )


def seal_setup(rules: Ruleset, match: int, setup: Setup, secret: bytes) -> str:
    """The army hash of a set-up; of a game that hides nothing, its text in clear."""
    if not rules.hidden:
        return rules.setup_text(setup)
    seat = rules.seat_letters[setup.seat]
    army = SealedArmy(secret, ranks_of(rules, setup))
    return army_hash(match, seat, leaves(match, seat, rules.zone(setup.seat), army))
