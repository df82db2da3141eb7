"""Sealing of seeds: whoever knew one could work out every answer of the house."""

import secrets

from games.house.models import PURPOSE
from lib import sealing

SEED_BITS = 62


def new_seed(player_id: int) -> bytes:
    """A seed for a seat, drawn and sealed."""
    return sealing.seal_bytes(str(secrets.randbits(SEED_BITS)), PURPOSE, f"seed/{player_id}")


def read_seed(sealed: bytes | memoryview, player_id: int) -> int:
    """The seed of a seat; raises BrokenSealError."""
    return int(sealing.unseal_bytes(bytes(sealed), PURPOSE, f"seed/{player_id}"))
