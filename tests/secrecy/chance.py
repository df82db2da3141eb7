"""Makes chance, time and memory deterministic, so that two worlds differ only in a secret."""

import os
import random
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import _lru_cache_wrapper
from unittest.mock import patch

import time_machine
from django.core.cache import cache

from games.rules.core.basics.pieces import BySeat
from lib.db_clock import frozen_at
from tests.secrecy.games import Army, Dealer


class Chance:
    """The source of all randomness; the same draws give the same results in both worlds."""

    def __init__(self) -> None:
        self._stream = random.Random(0)

    def begin(self, act: str) -> None:
        """Start the numbers of this act, regardless of what was drawn before."""
        self._stream = random.Random(act)
        random.seed(act)

    def bytes(self, count: int) -> bytes:
        return self._stream.randbytes(count)


@contextmanager
def tamed() -> Iterator[Chance]:
    """Within the block all randomness depends on the acts, including keys, nonces and masks."""
    chance = Chance()
    before = random.getstate()
    with patch.object(os, "urandom", chance.bytes), patch.object(random, "_urandom", chance.bytes):
        yield chance
    random.setstate(before)


@contextmanager
def dealing(armies: BySeat[Army]) -> Iterator[None]:
    """Within the block, deals give these armies their tiles."""
    with patch.object(secrets, "SystemRandom", lambda: Dealer(armies)):
        yield


@contextmanager
def standing(instant: datetime) -> Iterator[None]:
    """Within the block it is `instant`, by the database's clock and by Python's."""
    with frozen_at(instant), time_machine.travel(instant, tick=False):
        yield


OURS = ("accounts.", "config.", "games.", "lib.")
OF_RULES = ("games.rules.", "games.presentation.")


def forget() -> None:
    """Empty every cache of this process: one world's entries must not be used in the other.

    Tables of the rules, and what is drawn from them, may stay: they depend on no match.
    """
    cache.clear()
    for name, module in list(sys.modules.items()):
        ours = name.startswith(OURS) and not name.startswith(OF_RULES)
        for value in list(vars(module).values()) if ours else ():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
