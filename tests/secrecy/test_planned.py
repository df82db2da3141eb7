"""Plans in every game: nobody else can distinguish a plan from another plan or a move by hand."""

from itertools import product
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
NUMBERS = range(2)  # of the stories of each kind
SIDES = (1, 2)  # truths that are compared with the first
STORIES = tiers.parameters(
    product(PRESETS, (BY_PLAN, EITHER_WAY), NUMBERS, SIDES),
    # Each kind, where ranks are hidden; the other two games are lived in the soak tier.
    fast=[
        ("domino", BY_PLAN, 1, 2),
        ("tactique", EITHER_WAY, 1, 2),
    ],
)


@pytest.mark.parametrize(
    ("preset", "kind", "number", "side"),
    STORIES,
    ids=lambda value: getattr(value, "plans", str(value)),
)
def test_nobody_else_can_detect_a_plan(
    preset: str, kind: StoryKind, number: int, side: int, scene: Scene
) -> None:
    # Where nothing is hidden, only what is prepared and planned differs.
    kind = kind._replace(alike=not registry.ruleset(preset).hidden)
    story = plan(preset, number, Deck(Random(preset), only=("play:match",)), kinds=(kind,))
    compare(live(story, 0, scene), live(story, side, scene), str(story))
