"""Every edition: each level plays legal moves from both seats."""

from itertools import product

import pytest

from games.rules.registry import editions
from tests import tiers
from tests.bots.seats import match

pytestmark = pytest.mark.long

KEYS = [rules.key for rules in editions()]
ENOUGH = "Enough for this test."


@pytest.mark.parametrize(
    ("preset", "level"),
    tiers.parameters(
        product(KEYS, ("sergeant", "marshal")),
        fast=(("tactique-step", "sergeant"), ("lattaque-zh", "marshal")),
    ),
)
def test_every_answer_is_legal(preset: str, level: str) -> None:
    other = "recruit" if level == "marshal" else "random"
    for seed, levels in enumerate([(level, other), (other, level)]):
        played = match(preset, levels, seed, answers=8)
        assert not played.forfeit or ENOUGH in played.forfeit, played.forfeit
