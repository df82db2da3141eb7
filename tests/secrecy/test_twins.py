"""Pairs of worlds that differ only in what one side may not know: no byte of them differs.

shares.py says which stories a run lives, docs/secrecy.md what a pair is.
"""

from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from django.db import connection

from games.rules import registry
from tests.secrecy import channels, shares
from tests.secrecy.channels import STAFF
from tests.secrecy.scene import Scene
from tests.secrecy.stories import KINDS, TRUTHS, Deal, Deck, StoryKind, plan
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


class Chosen(NamedTuple):
    """The story of that number; of this kind, or of one of all that suit the preset."""

    preset: str
    number: int
    kinds: tuple[StoryKind, ...] = ()


# Of each game, with all stages and endings of a match, and all that happens between two moves.
# Plans that answer are in test_planned.py.
FAST_STORIES = [
    Chosen(preset, 0, (kind,))
    for preset, kind in (
        ("lattaque-zh", StoryKind("play", "resign", between="draw")),
        ("lattaque-en", StoryKind("play", "reopened", between="gift")),
        ("domino", StoryKind("play", "claimed")),
        ("tactique-volley-all", StoryKind("play", "void", between="pause")),
        ("tactique-convert", StoryKind("play", "draw", between="outage")),
        ("tactique-step", StoryKind("waiting", frequency="twice")),
        ("domino-return", StoryKind("drafting", "time")),
        ("lattaque-gibson", StoryKind("unplayed", "abort")),
        ("lattaque-en-forward", StoryKind("play", "rules", alike=True, between="vacation")),
        ("assaut", StoryKind("play", between="gift", alike=True)),
    )
]
IS_SHORT = SHARE.is_fast and not FEW
# In the fast tier, staff opens the admin only; test_talk.py has them open all pages.
NOT_OF_ADMIN = {
    Deal(STAFF, name) for name, page in channels.pages().items() if page.viewers != (STAFF,)
}


def of_this_run() -> list[list[Chosen]]:
    """The stories of each test."""
    if IS_SHORT:
        return [FAST_STORIES]  # which are few, and enough for all visits
    divided = shares.divided(PRESETS, len(NUMBERS), LEAST)
    return [
        [Chosen(preset, number) for number, preset in product(NUMBERS, each)] for each in divided
    ]


@pytest.mark.parametrize(
    "stories",
    of_this_run(),
    ids=lambda stories: f"{stories[0].preset} and {len(stories) - 1} more {SHARE.words}".strip(),
)
def test_nobody_can_tell_one_truth_from_another(stories: list[Chosen], scene: Scene) -> None:
    without = NOT_OF_ADMIN if IS_SHORT else ()
    deck = Deck(Random(f"{stories[0].preset} {SHARE}"), without=without)
    left = len(stories)
    with watching() as idle:
        for preset, number, kinds in stories:
            story = plan(preset, number, deck, left, kinds, seed=SHARE.seed)
            left -= 1
            first = live(story, 0, scene)
            for side in SIDES:
                compare(first, live(story, side, scene), str(story))
    assert not deck.unseen, "Every channel has to be visited by each of its viewers."
    assert not idle, "What channels.py calls driven has to happen."


def test_the_fast_tier_covers_every_game_and_all_that_happens_in_a_story() -> None:
    kinds = [kind for story in FAST_STORIES for kind in story.kinds]
    for part in ("stage", "ending", "between", "alike", "frequency"):
        assert {getattr(kind, part) for kind in kinds} >= {getattr(kind, part) for kind in KINDS}
    games = {registry.ruleset(story.preset).family for story in FAST_STORIES}
    assert games == {rules.family for rules in registry.editions()}


@pytest.mark.parametrize("stories", [1, 2, 5, 6, 24, 25, 26, 49, 50, 51, 125, 1000])
def test_no_test_has_too_few_stories(stories: int) -> None:
    share = shares.divided(PRESETS, stories, LEAST)
    assert sorted(preset for presets in share for preset in presets) == sorted(PRESETS)
    least = min(LEAST, stories * len(PRESETS))
    assert min(len(presets) for presets in share) * stories >= least
