"""Every edition: each level plays legal moves from both seats, and whole matches end."""

import pytest

from games.rules.registry import editions
from tests.bots.seats import match

pytestmark = pytest.mark.long

KEYS = [rules.key for rules in editions()]
ENOUGH = "Enough for this test."


@pytest.mark.rotated(30)
@pytest.mark.parametrize("level", ["sergeant", "marshal"])
@pytest.mark.parametrize("preset", KEYS)
def test_no_answer_is_illegal(preset: str, level: str) -> None:
    other = "recruit" if level == "marshal" else "random"
    for seed, levels in enumerate([(level, other), (other, level)]):
        played = match(preset, levels, seed, answers=8)
        assert not played.forfeit or ENOUGH in played.forfeit, played.forfeit


@pytest.mark.rotated(6)
@pytest.mark.parametrize("preset", ["lattaque-zh", "domino", "tactique", "assaut"])
def test_a_recruit_mostly_beats_chance(preset: str) -> None:
    points = 0.0
    for seed in range(4):
        levels = ("recruit", "random") if seed % 2 else ("random", "recruit")
        played = match(preset, levels, seed)
        assert not played.forfeit
        points += 0.5 if played.winner is None else played.winner == levels.index("recruit")
    assert points >= 3
