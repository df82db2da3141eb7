"""Pairs of worlds that differ only in what one side may not know: no byte of them differs.

TWIN_PAIRS says how many pairs there are over all presets; docs/secrecy.md tells what a pair is.
"""

import os
from math import ceil
from random import Random

import pytest
from django.db import connection

from games.rules import registry
from tests.secrecy.scene import Scene
from tests.secrecy.stories import Deck, plan
from tests.secrecy.transcript import compare
from tests.secrecy.watch import watching
from tests.secrecy.worlds import live

# With fewer, a test cannot see to it that all channels are used.
LEAST = 32
# Assaut hides nothing, so there is nothing in it that a player may not know.
PRESETS = [rules.key for rules in registry.presets() if rules.hidden]
# Few on PostgreSQL, since what is compared is made above it.
USUAL = 1600 if connection.vendor == "sqlite" else 32
PAIRS = ceil(int(os.environ.get("TWIN_PAIRS", USUAL)) / len(PRESETS))  # of each preset
TOGETHER = ceil(LEAST / PAIRS)  # presets
CHUNKS = [PRESETS[first : first + TOGETHER] for first in range(0, len(PRESETS), TOGETHER)]


@pytest.mark.parametrize("presets", CHUNKS, ids=" and ".join)
def test_nobody_can_tell_one_truth_from_another(presets: list[str], scene: Scene) -> None:
    deck, count = Deck(Random(presets[0])), PAIRS * len(presets)
    with watching() as idle:
        for number in range(count):
            story = plan(presets[number % len(presets)], number, deck, count - number)
            compare(live(story, 0, scene), live(story, 1, scene), str(story))
    assert not deck.unseen, "Every channel has to be visited by each of its viewers."
    # The few pairs on PostgreSQL need not see every ending.
    if connection.vendor == "sqlite":
        assert not idle, "What channels.py calls driven has to happen."
