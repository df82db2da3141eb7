"""The twins bite: every planted leak is found, by bytes that differ and not by a crash."""

from collections.abc import Iterable
from contextlib import nullcontext, suppress
from random import Random

import pytest

from tests.secrecy import transcript
from tests.secrecy.leaks import LEAKS, Leak
from tests.secrecy.scene import Scene
from tests.secrecy.stories import TRUTHS, Deck, Story, plan
from tests.secrecy.transcript import Crash, compare
from tests.secrecy.worlds import live

PATIENCE = 60  # stories


def differ(
    story: Story, scene: Scene, sides: Iterable[int] = range(1, TRUTHS)
) -> tuple[int, transcript.Leak] | None:
    """The first of these worlds of a story that differs from its world 0, and in what."""
    first = live(story, 0, scene)
    for side in sides:
        try:
            compare(first, live(story, side, scene), str(story))
        except transcript.Leak as found:
            return side, found
    return None


@pytest.mark.parametrize("leak", LEAKS, ids=str)
def test_a_planted_leak_is_found(leak: Leak, scene: Scene, monkeypatch) -> None:
    deck = Deck(Random(0), only=leak.on or ("help",))
    leak.plant(monkeypatch)
    for number in range(PATIENCE):
        story = plan(leak.preset, number, deck, kinds=leak.kinds)
        # A page that breaks in both worlds tells nothing, even where breaking is the leak.
        with suppress(Crash) if leak.by_crash else nullcontext():
            if told := differ(story, scene):
                break
    else:
        pytest.fail(f"{leak} was not found in {PATIENCE} stories.")
    side, found = told
    assert leak.by_crash or not found.crashes, f"{found.crashes[0]} is no kill."
    monkeypatch.undo()
    assert differ(story, scene, [side]) is None, "Without the leak there should be no difference."


def test_there_are_many_leaks() -> None:
    assert len(LEAKS) >= 40
