"""Glicko-2 (Glickman 2022), one result at a time or a list of them; pure functions.

A rating period lasts a week and need not be a whole number: `periods` is the time since the
player's last counted result, divided by a week.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

SCALE = 173.7178  # points of a rating per unit of the paper's internal scale
TAU = 0.5  # how much the volatility may change
START = 1500.0
MAX_DEVIATION = 350.0
START_VOLATILITY = 0.06
PRECISION = 0.000001  # of the logarithm of the squared volatility
MAX_STEPS = 1000  # of its iteration, which needs about ten


@dataclass(frozen=True)
class State:
    """What is known of a player's strength: rating and deviation in points, and volatility."""

    rating: float = START
    deviation: float = MAX_DEVIATION
    volatility: float = START_VOLATILITY


class Result(NamedTuple):
    """A result against an opponent, whose deviation is that of its day; `score` is 0 to 1."""

    rating: float
    deviation: float
    score: float


def aged(state: State, periods: float) -> State:
    """The state after a time without results: the deviation grows, up to MAX_DEVIATION."""
    grown = math.hypot(state.deviation, math.sqrt(periods) * SCALE * state.volatility)
    return replace(state, deviation=min(MAX_DEVIATION, grown))


def periods_until(state: State, deviation: float) -> float:
    """After how many periods without results the deviation has grown to this one."""
    return (deviation**2 - state.deviation**2) / (SCALE * state.volatility) ** 2


def update(state: State, results: Iterable[Result], periods: float) -> State:
    """The state after these results, `periods` after the last ones (steps 2 to 8 of the paper).

    Without results the state only ages.
    """
    results = list(results)
    if not results:
        return aged(state, periods)
    own = (state.rating - START) / SCALE
    deviation = state.deviation / SCALE
    precision = gain = 0.0
    for opponent, theirs, score in results:
        weight = _weight(theirs / SCALE)
        ahead = weight * (own - (opponent - START) / SCALE)
        expected, missing = _logistic(ahead), _logistic(-ahead)  # 1 - expected would round to 0.
        precision += weight**2 * expected * missing
        gain += weight * (score - expected)
    variance = 1 / precision
    volatility = _new_volatility(state.volatility, deviation, variance, variance * gain)
    before = math.hypot(deviation, math.sqrt(periods) * volatility)
    before = min(MAX_DEVIATION / SCALE, before)
    after = 1 / math.sqrt(1 / before**2 + precision)
    rating = START + SCALE * (own + after**2 * gain)
    return State(rating, SCALE * after, volatility)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _weight(deviation: float) -> float:
    """g of the paper: how much a result tells, by the opponent's deviation."""
    return 1 / math.sqrt(1 + 3 * (deviation / math.pi) ** 2)


def _new_volatility(volatility: float, deviation: float, variance: float, delta: float) -> float:
    """Step 5: the volatility by the Illinois algorithm."""
    start = math.log(volatility**2)
    spread = deviation**2 + variance

    def f(x: float) -> float:
        power = math.exp(x)
        first = power * (delta**2 - spread - power) / (2 * (spread + power) ** 2)
        return first - (x - start) / TAU**2

    low = start
    if delta**2 > spread:
        high = math.log(delta**2 - spread)
    else:
        high = start - TAU
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    for _ in range(MAX_STEPS):
        if abs(high - low) <= PRECISION:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
