"""Makes chance, time and memory deterministic, so that two worlds differ only in a secret."""

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import _lru_cache_wrapper
from hashlib import sha256
from unittest.mock import patch

import time_machine
from django.apps import apps
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection

from games.play.record.sealed import match_secrets
from games.rules.core.basics.pieces import BySeat
from games.rules.proof import deal, seals
from games.rules.proof.hashes import digest
from lib.db_clock import frozen_at
from tests.secrecy.games import Army, asides


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


def leaf_of_any_rank(match: int, seat: str, square: str, _rank: str, nonce: str) -> str:
    """The seal of a square, whatever stands there."""
    return digest(f"estafette/piece/1 {match} {seat} {square} ? {nonce}")


@contextmanager
def tamed() -> Iterator[Chance]:
    """Within the block all randomness depends on the acts, including keys, nonces and masks.

    Seals hide their rank and commitments their seed, so that everything made of them is the same in
    both worlds. Nothing else of the proofs is replaced; tests/rules/proof tries these two.
    """
    chance = Chance()
    before = random.getstate()
    with (
        patch.object(os, "urandom", chance.bytes),
        patch.object(random, "_urandom", chance.bytes),
        patch.object(seals, "leaf", leaf_of_any_rank),
        patch.object(deal, "commitment", lambda _seed: digest("estafette/seed/1 ?")),
    ):
        yield chance
    random.setstate(before)


def restart_numbers() -> None:
    """Number new rows as if what was rolled back had not been: PostgreSQL would count on."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
                cursor.execute(statement)


@contextmanager
def dealing(armies: BySeat[Army]) -> Iterator[None]:
    """Within the block, deals give these armies their tiles.

    The seed follows from the tiles, so that it differs where they do.
    """
    seed = sha256(repr(asides(armies)).encode()).digest()
    draw = match_secrets.draw
    with (
        patch.object(deal, "aside", lambda *_: asides(armies)),
        patch.object(match_secrets, "draw", lambda rules, _seed, words: draw(rules, seed, words)),
    ):
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
