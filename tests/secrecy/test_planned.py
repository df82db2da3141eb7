"""Plans in every game: nobody can tell a plan from another one, nor from a move by hand."""

from random import Random

import pytest

from games.rules import registry
from tests import tiers
from tests.secrecy.planning import EITHER, PLANNED
from tests.secrecy.scene import Scene
from tests.secrecy.stories import Deck, StoryKind, plan
from tests.secrecy.transcript import compare
from tests.secrecy.worlds import live

pytestmark = pytest.mark.long

PRESETS = ("lattaque-en", "domino", "tactique", "assaut")
BY_PLAN = StoryKind("play", "resign", plans=PLANNED)
EITHER_WAY = StoryKind("play", plans=EITHER)
STORIES = tiers.parameters(
    [(preset, kind) for preset in PRESETS for kind in (BY_PLAN, EITHER_WAY)],
    # Each game and each kind, by plan also where nothing is hidden.
    fast=[
        ("lattaque-en", EITHER_WAY),
        ("domino", BY_PLAN),
        ("tactique", EITHER_WAY),
        ("assaut", BY_PLAN),
    ],
)


@pytest.mark.parametrize(
    ("preset", "kind"), STORIES, ids=lambda value: getattr(value, "plans", value)
)
def test_a_plan_is_nobody_elses_to_know(preset: str, kind: StoryKind, scene: Scene) -> None:
    # Where nothing is hidden, only what is prepared and planned differs.
    kind = kind._replace(alike=not registry.ruleset(preset).hidden)
    for number in range(2):
        story = plan(preset, number, Deck(Random(preset), only=("play:match",)), kinds=(kind,))
        first = live(story, 0, scene)
        for side in (1, 2):
            compare(first, live(story, side, scene), str(story))
