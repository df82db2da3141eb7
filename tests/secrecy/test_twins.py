"""Pairs of worlds that differ only in what one side may not know: no byte of them differs.

TWIN_PAIRS says how many pairs there are over all presets; docs/secrecy.md tells what a pair is.
"""

import os
from itertools import product
from math import ceil
from random import Random

import pytest
from django.db import connection

from games.rules import registry
from tests.secrecy.scene import Scene
from tests.secrecy.stories import TRUTHS, Deck, plan
from tests.secrecy.transcript import compare
from tests.secrecy.watch import watching
from tests.secrecy.worlds import live

# With fewer, a test cannot see to it that all channels are used.
LEAST = 100 if connection.vendor == "sqlite" else 16
# Few on PostgreSQL, since what is compared is made above it, and none of what hides only drafts.
PRESETS = [
    rules.key for rules in registry.presets() if rules.hidden or connection.vendor == "sqlite"
]
USUAL = 2200 if connection.vendor == "sqlite" else 64
PAIRS = int(os.environ.get("TWIN_PAIRS", USUAL))
STORIES = ceil(PAIRS / len(PRESETS) / (TRUTHS - 1))  # of each preset
TOGETHER = ceil(LEAST / STORIES)  # presets
CHUNKS = [PRESETS[first : first + TOGETHER] for first in range(0, len(PRESETS), TOGETHER)]


@pytest.mark.parametrize("presets", CHUNKS, ids=" and ".join)
def test_nobody_can_tell_one_truth_from_another(presets: list[str], scene: Scene) -> None:
    deck, left = Deck(Random(presets[0])), STORIES * len(presets)
    with watching() as idle:
        # Each preset begins with another kind of story, so that few stories are of many kinds.
        for turn, (place, preset) in product(range(STORIES), enumerate(presets)):
            story = plan(preset, turn + place, deck, left)
            left -= 1
            first = live(story, 0, scene)
            for side in range(1, TRUTHS):
                compare(first, live(story, side, scene), str(story))
    assert not deck.unseen, "Every channel has to be visited by each of its viewers."
    assert not idle, "What channels.py calls driven has to happen."
