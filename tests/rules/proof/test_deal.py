"""The deal is fair: each tile is set aside equally often, whatever the words."""

import random
from collections import Counter

import pytest

from games.rules.core.basics.pieces import BySeat
from games.rules.proof import deal
from games.rules.registry import editions, ruleset

SEEDS = 20_000
DOMINO = ruleset("domino")
LOT = deal.lot_of(DOMINO)
# Critical values of chi-squared for p = 0.01.
CRITICAL_25, CRITICAL_649 = 44.314, 735.7


def chi_squared(counts: Counter[object], cells: int) -> float:
    mean = counts.total() / cells
    missing = cells - len(counts)
    return sum((count - mean) ** 2 for count in counts.values()) / mean + mean * missing


@pytest.mark.soak
@pytest.mark.long
def test_20_000_deals_are_fair() -> None:
    rng = random.Random(1)
    hashes = [deal.words_hash("fair wind"), deal.words_hash("")]
    tiles: dict[str, Counter[object]] = {"S": Counter(), "N": Counter()}
    pairs: dict[str, Counter[object]] = {"S": Counter(), "N": Counter()}
    apart: Counter[object] = Counter()
    for _ in range(SEEDS):
        seed = rng.randbytes(deal.SEED_BYTES)
        drawn = {seat: deal.drawn(seed, 17, seat, hashes, LOT, 4) for seat in "SN"}
        for seat, aside in drawn.items():
            tiles[seat].update(aside)
            pairs[seat][aside[:2]] += 1
        apart[(LOT.index(drawn["S"][0]) - LOT.index(drawn["N"][0])) % 26] += 1
    for seat in "SN":
        # Four different tiles of 26 vary less than four independent draws.
        assert chi_squared(tiles[seat], 26) * 25 / 22 < CRITICAL_25
        assert chi_squared(pairs[seat], 26 * 25) < CRITICAL_649
    # The deals of the two seats are independent.
    assert chi_squared(apart, 26) < CRITICAL_25


def test_words_match_and_seat_change_the_deal() -> None:
    seed = bytes(32)
    words = BySeat("fair wind", "")
    first = deal.aside(DOMINO, seed, 17, words)
    assert first == deal.aside(DOMINO, seed, 17, words)
    others = [
        deal.aside(DOMINO, seed, 18, words),
        deal.aside(DOMINO, seed, 17, BySeat("", "fair wind")),
        deal.aside(DOMINO, seed, 17, BySeat("fair wind", "x")),
        deal.aside(DOMINO, bytes([1] * 32), 17, words),
    ]
    assert len({first, *others}) == 5
    assert first[0] != first[1]


def test_four_tiles_are_set_aside_in_the_order_of_the_army() -> None:
    for tiles in deal.aside(DOMINO, bytes(32), 17, BySeat("", "")):
        assert len(set(tiles)) == 4
        assert list(tiles) == sorted(tiles)
        assert not {"00", "66"} & set(tiles)
    assert len(LOT) == 26


def test_other_games_have_no_deal() -> None:
    without = [rules for rules in editions() if rules.deal is None]
    assert len(without) == 20
    assert {deal.aside_count(rules) for rules in without} == {0}
    assert {deal.lot_of(rules) for rules in without} == {()}
