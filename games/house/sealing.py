"""Sealing of seeds: whoever knew one could work out every answer of the house."""

import secrets

from lib import sealing

PURPOSE = "house"
SEED_BITS = 62


def new_seed(player_id: int) -> bytes:
    """A seed for a seat, drawn and sealed."""
    return _seal(str(secrets.randbits(SEED_BITS)), player_id)


def read_seed(sealed: bytes | memoryview, player_id: int) -> int:
    """The seed of a seat; raises BrokenSealError."""
    return int(sealing.unseal_bytes(bytes(sealed), PURPOSE, _context(player_id)))


def is_current(sealed: bytes | memoryview) -> bool:
    """Whether it was sealed with the first key of SEAL_KEYS."""
    return sealing.is_current(bytes(sealed), PURPOSE)


def reseal(sealed: bytes | memoryview, player_id: int) -> bytes:
    """The same sealed with the first key of SEAL_KEYS; raises BrokenSealError."""
    return _seal(str(read_seed(sealed, player_id)), player_id)


def _seal(seed: str, player_id: int) -> bytes:
    return sealing.seal_bytes(seed, PURPOSE, _context(player_id))


def _context(player_id: int) -> str:
    return f"seed/{player_id}"
