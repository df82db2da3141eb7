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
from tests.secrecy.stories import KINDS, Deck, plan
from tests.secrecy.transcript import compare
from tests.secrecy.watch import watching
from tests.secrecy.worlds import live

# Assaut hides nothing, so there is nothing in it that a player may not know.
PRESETS = [rules.key for rules in registry.presets() if rules.hidden]
HALF = len(PRESETS) // 2
CHUNKS = [PRESETS[number::HALF] for number in range(HALF)]


def pairs() -> int:
    """The pairs of each preset; few on PostgreSQL, since what is compared is made above it."""
    usual = 512 if connection.vendor == "sqlite" else 2 * len(PRESETS)
    return ceil(int(os.environ.get("TWIN_PAIRS", usual)) / len(PRESETS))


@pytest.mark.parametrize("presets", CHUNKS, ids=" and ".join)
def test_nobody_can_tell_one_truth_from_another(presets: list[str], scene: Scene) -> None:
    planned = [(preset, number) for number in range(pairs()) for preset in presets]
    deck = Deck(Random(presets[0]))
    with watching() as idle:
        for done, (preset, number) in enumerate(planned):
            story = plan(preset, number, deck, len(planned) - done)
            compare(live(story, 0, scene), live(story, 1, scene), str(story))
    assert not deck.unseen, "Every channel has to be visited by each of its viewers."
    if pairs() >= len(KINDS):
        assert not idle, "What channels.py calls driven has to happen."
