"""Pairs of worlds that differ only in what one side may not know: no byte of them differs.

shares.py says which stories a run lives, docs/secrecy.md what a pair is.
"""

from itertools import product
from random import Random

import pytest
from django.db import connection

from games.rules import registry
from tests import tiers
from tests.secrecy import shares
from tests.secrecy.scene import Scene
from tests.secrecy.stories import KINDS, OPEN_KINDS, TRUTHS, Deck, kind_of, plan
from tests.secrecy.transcript import compare
from tests.secrecy.watch import watching
from tests.secrecy.worlds import live

# On PostgreSQL one pair of each of a few stories, since the comparison is above the database, and
# none that hides only drafts.
FEW = connection.vendor != "sqlite"
pytestmark = [pytest.mark.postgresql_soak, pytest.mark.long]
PRESETS = [rules.key for rules in registry.editions() if rules.hidden or not FEW]
SHARE = shares.of_this_run(len(PRESETS), TRUTHS)
NUMBERS = SHARE.numbers[:1] if FEW else SHARE.numbers
SIDES = SHARE.sides[:1] if FEW else SHARE.sides
# With fewer stories, a test lacks some kinds, or has too many visits for each.
LEAST = 16 if FEW else 33
FAST_OPEN_KINDS = 3
Numbered = tuple[str, int]  # a preset, and the number of one of its stories


def of_every_kind() -> list[Numbered]:
    """The first story of one edition of each game, and those of kinds that are missing.

    Where armies stand open, a few kinds represent all: a channel that tells what is prepared there
    tells it of hidden armies too.
    """
    wanted = {*KINDS, *OPEN_KINDS[:FAST_OPEN_KINDS]}
    stories = [(preset, 0) for preset in tiers.REPRESENTATIVES]
    lived = {kind_of(registry.ruleset(preset), number) for preset, number in stories}
    for number, rules in product(range(shares.FAST), registry.editions()):
        kind = kind_of(rules, number)
        if kind in wanted - lived:
            stories.append((rules.key, number))
            lived.add(kind)
    return stories


def of_this_run() -> list[list[Numbered]]:
    """The stories of each test."""
    if SHARE.is_fast and not FEW:
        return [of_every_kind()]  # which are few, and enough for all visits
    divided = shares.divided(PRESETS, len(NUMBERS), LEAST)
    return [[(preset, number) for number, preset in product(NUMBERS, each)] for each in divided]


@pytest.mark.parametrize(
    "stories",
    of_this_run(),
    ids=lambda stories: f"{stories[0][0]} and {len(stories) - 1} more {SHARE.words}".strip(),
)
def test_nobody_can_tell_one_truth_from_another(stories: list[Numbered], scene: Scene) -> None:
    deck = Deck(Random(f"{stories[0][0]} {SHARE}"))
    left = len(stories)
    with watching() as idle:
        for preset, number in stories:
            story = plan(preset, number, deck, left, seed=SHARE.seed)
            left -= 1
            first = live(story, 0, scene)
            for side in SIDES:
                compare(first, live(story, side, scene), str(story))
    assert not deck.unseen, "Every channel has to be visited by each of its viewers."
    assert not idle, "What channels.py calls driven has to happen."


def test_the_fast_tier_covers_every_game_and_every_kind_of_story() -> None:
    stories = of_every_kind()
    lived = {kind_of(registry.ruleset(preset), number) for preset, number in stories}
    assert lived >= {*KINDS}
    assert len(lived & {*OPEN_KINDS}) >= FAST_OPEN_KINDS
    games = {registry.ruleset(preset).family for preset, _ in stories}
    assert games == {rules.family for rules in registry.editions()}


@pytest.mark.parametrize("stories", [1, 2, 5, 6, 24, 25, 26, 49, 50, 51, 125, 1000])
def test_no_test_has_too_few_stories(stories: int) -> None:
    share = shares.divided(PRESETS, stories, LEAST)
    assert sorted(preset for presets in share for preset in presets) == sorted(PRESETS)
    least = min(LEAST, stories * len(PRESETS))
    assert min(len(presets) for presets in share) * stories >= least
