"""Chance, time and memory held still, so that two worlds can differ in nothing but a secret."""

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
    """The source of everything random; whatever draws from it draws the same in both worlds."""

    def __init__(self) -> None:
        self._stream = random.Random(0)

    def begin(self, act: str) -> None:
        """From here on, the numbers that belong to this act, whatever was drawn before."""
        self._stream = random.Random(act)
        random.seed(act)

    def bytes(self, count: int) -> bytes:
        return self._stream.randbytes(count)


@contextmanager
def tamed() -> Iterator[Chance]:
    """Within the block chance is a function of the acts: keys, nonces and masks, too."""
    chance = Chance()
    before = random.getstate()
    with patch.object(os, "urandom", chance.bytes), patch.object(random, "_urandom", chance.bytes):
        yield chance
    random.setstate(before)


@contextmanager
def dealing(armies: BySeat[Army]) -> Iterator[None]:
    """Within the block, whoever deals tiles deals these armies theirs."""
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
    """Empty every cache of this process: what one world has filled must not answer in the other.

    Tables of the rules, and what is shown of them, may stay: they are made of no match.
    """
    cache.clear()
    for name, module in list(sys.modules.items()):
        ours = name.startswith(OURS) and not name.startswith(OF_RULES)
        for value in list(vars(module).values()) if ours else ():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
