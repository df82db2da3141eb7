"""Lots: an order that nobody chooses and everybody can check, from a published seed."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")

SEED_BYTES = 16


def new_seed() -> str:
    """A random seed of 128 bits, in hexadecimal."""
    return secrets.token_hex(SEED_BYTES)


def lot_of(seed: str, user: int) -> str:
    """What orders a user: the SHA-256 of `seed:user`, in hexadecimal."""
    return hashlib.sha256(f"{seed}:{user}".encode()).hexdigest()


def by_lot(things: Iterable[Thing], seed: str, user_of: Callable[[Thing], int]) -> list[Thing]:
    """Things of users in the order of their lots."""
    return sorted(things, key=lambda thing: lot_of(seed, user_of(thing)))
