"""Plans in every game: nobody can tell a plan from another one, nor from a move by hand."""

from random import Random

import pytest

from tests.secrecy.planning import EITHER, PLANNED
from tests.secrecy.scene import Scene
from tests.secrecy.stories import Deck, StoryKind, plan
from tests.secrecy.transcript import compare
from tests.secrecy.worlds import live

pytestmark = pytest.mark.long

PRESETS = ("lattaque-en", "domino", "tactique", "assaut")
KINDS = (StoryKind("play", "resign", plans=PLANNED), StoryKind("play", plans=EITHER))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plans)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_plan_is_nobody_elses_to_know(preset: str, kind: StoryKind, scene: Scene) -> None:
    for number in range(2):
        story = plan(preset, number, Deck(Random(preset), only=("play:match",)), kinds=(kind,))
        first = live(story, 0, scene)
        for side in (1, 2):
            compare(first, live(story, side, scene), str(story))
