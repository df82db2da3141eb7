"""The twins detect every planted leak, by bytes that differ and not by a crash."""

from contextlib import nullcontext, suppress
from random import Random

import pytest

from tests import tiers
from tests.secrecy import transcript
from tests.secrecy.leaks import LEAKS, Leak
from tests.secrecy.scene import Scene
from tests.secrecy.stories import TRUTHS, Deck, Story, plan
from tests.secrecy.transcript import Crash, Transcript, compare
from tests.secrecy.worlds import live

pytestmark = pytest.mark.long

PATIENCE = 60  # stories
# On a page, and in what is always compared.
REPRESENTATIVES = [leak for leak in LEAKS if str(leak) in {"a_class_by_rank", "a_deadline_by_rank"}]


# What was received in worlds without a leak; many leaks are found in the same story.
clean: dict[str, Transcript] = {}


def differ(story: Story, scene: Scene) -> tuple[int, transcript.Leak] | None:
    """The first world of a story that differs from its world 0, and the difference."""
    first = live(story, 0, scene)
    for side in range(1, TRUTHS):
        try:
            compare(first, live(story, side, scene), str(story))
        except transcript.Leak as leak:
            return side, leak
    return None


def received_without_a_leak(story: Story, side: int, scene: Scene) -> Transcript:
    # Two stories of one seed may still differ in what happens in them.
    world = f"{story}, {side}, {story.kind}, {story.sure}, {story.midway}, {story.looks}"
    if world not in clean:
        clean[world] = live(story, side, scene)
    return clean[world]


@pytest.mark.parametrize("leak", tiers.parameters(LEAKS, fast=REPRESENTATIVES), ids=str)
def test_a_planted_leak_is_detected(
    leak: Leak, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = Deck(Random(0), only=leak.on or ("help",))
    leak.plant(monkeypatch)
    for number in range(leak.first, leak.first + PATIENCE):
        story = plan(leak.preset, number, deck, kinds=leak.kinds)
        # A page that fails in both worlds proves nothing, even if failing is the leak.
        with suppress(Crash) if leak.by_crash else nullcontext():
            if side_and_leak := differ(story, scene):
                break
    else:
        pytest.fail(f"{leak} was not found in {PATIENCE} stories.")
    side, caught_leak = side_and_leak
    assert leak.by_crash or not caught_leak.crashes, f"{caught_leak.crashes[0]} is no kill."
    monkeypatch.undo()
    # Without the leak there is no difference.
    one, other = (received_without_a_leak(story, each, scene) for each in (0, side))
    compare(one, other, str(story))


@pytest.mark.parametrize("leak", LEAKS, ids=str)
def test_every_leak_can_still_be_planted(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    # Most leaks are tested in the soak tier only; a patched name that is gone is detected here.
    leak.plant(monkeypatch)


def test_there_are_many_leaks() -> None:
    assert len(LEAKS) >= 40
