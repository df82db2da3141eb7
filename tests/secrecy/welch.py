"""Whether calls of two classes take another time: Welch's t over samples taken in turn.

The method is dudect's: what is slow for reasons of the machine is cropped at many percentiles of
both classes together, and the largest |t| of all counts. Above BOUND the classes can be told apart.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, variance
from time import thread_time_ns

BOUND = 4.5
CROPS = 100
FEW = 100  # samples of a class, below which a crop says nothing

Call = Callable[[], object]
Samples = tuple[list[int], list[int]]  # nanoseconds, by class


def sample(draw: Callable[[int], Call], each: int) -> Samples:
    """The CPU time of so many calls of each class, drawn in random order by their class."""
    taken: Samples = ([], [])
    order = [0, 1] * each
    Random(each).shuffle(order)
    for side in order:
        call = draw(side)
        begun = thread_time_ns()
        call()
        taken[side].append(thread_time_ns() - begun)
    return taken


def largest_t(samples: Samples) -> float:
    """The t of largest size, over all samples and over each crop of them."""
    pooled = sorted(samples[0] + samples[1])
    found = [welch(*samples)]
    for crop in range(CROPS):
        share = 1 - 0.5 ** (10 * (crop + 1) / CROPS)
        most = pooled[int(share * (len(pooled) - 1))]
        kept = [[taken for taken in each if taken <= most] for each in samples]
        if min(map(len, kept)) >= FEW:
            found.append(welch(*kept))
    return max(found, key=abs)


def welch(one: Sequence[int], other: Sequence[int]) -> float:
    """Welch's t; 0 where nothing varies."""
    spread = variance(one) / len(one) + variance(other) / len(other)
    return (fmean(one) - fmean(other)) / sqrt(spread) if spread else 0.0
