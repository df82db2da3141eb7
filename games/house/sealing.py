"""Sealing of seeds. They are secret, since a seed determines every answer of a house opponent."""

import secrets

from games.house.models import PURPOSE
from lib import sealing

SEED_BITS = 62


def new_seed(player_id: int) -> bytes:
    """Draw a seed for a seat; returns it sealed."""
    return sealing.seal_bytes(str(secrets.randbits(SEED_BITS)), PURPOSE, f"seed/{player_id}")


def read_seed(sealed: bytes | memoryview, player_id: int) -> int:
    """The seed of a seat; raises BrokenSealError."""
    return int(sealing.unseal_bytes(bytes(sealed), PURPOSE, f"seed/{player_id}"))
