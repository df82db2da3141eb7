"""Whether two classes of calls differ in duration: Welch's t over alternating samples.

The method is dudect's: samples that are slow because of the machine are cropped at many percentiles
of both classes together, and the largest |t| counts. Above BOUND the classes are distinguishable.
"""

from bisect import bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import accumulate
from math import sqrt
from random import Random
from time import thread_time_ns

BOUND = 4.5
CROPS = 100
FEW = 100  # samples of a class; a crop with fewer proves nothing

Call = Callable[[], object]
Samples = tuple[list[int], list[int]]  # nanoseconds, by class


def sample(
    draw: Callable[[int], Call],
    each: int,
    around: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Samples:
    """The CPU time of calls of each class, drawn in random order, each inside of `around`."""
    taken: Samples = ([], [])
    order = [0, 1] * each
    Random(each).shuffle(order)
    for side in order:
        with around():
            call = draw(side)
            begun = thread_time_ns()
            call()
            taken[side].append(thread_time_ns() - begun)
    return taken


def largest_t(samples: Samples) -> float:
    """The t of largest size, over all samples and over each crop of them."""
    pooled = sorted(samples[0] + samples[1])
    one, other = map(Ordered, samples)
    statistics = [one.welch(other, pooled[-1])]
    for crop in range(CROPS):
        share = 1 - 0.5 ** (10 * (crop + 1) / CROPS)
        most = pooled[int(share * (len(pooled) - 1))]
        if min(one.count(most), other.count(most)) >= FEW:
            statistics.append(one.welch(other, most))
    return max(statistics, key=abs)


def finest(samples: Samples) -> int:
    """The smallest delay of one class, in nanoseconds, that these samples would show."""
    delay = 100
    while abs(largest_t((samples[0], [taken + delay for taken in samples[1]]))) < BOUND:
        delay += delay // 4
    return delay


class Ordered:
    """The samples of a class in order, with sums to judge those up to any of them."""

    def __init__(self, samples: list[int]) -> None:
        self._taken = sorted(samples)
        self._sums = list(accumulate(self._taken, initial=0))
        self._squares = list(accumulate((taken * taken for taken in self._taken), initial=0))

    def count(self, most: int) -> int:
        """The number of samples up to this one."""
        return bisect_right(self._taken, most)

    def welch(self, other: "Ordered", most: int) -> float:
        """Welch's t of both classes up to this; 0 if nothing varies."""
        (mean, error), (others, errors) = self._judged(most), other._judged(most)
        return (mean - others) / sqrt(error + errors) if error + errors else 0.0

    def _judged(self, most: int) -> tuple[float, float]:
        """The mean, and the square of its standard error."""
        n = self.count(most)
        whole, squares = self._sums[n], self._squares[n]
        return whole / n, (squares * n - whole * whole) / (n * n * (n - 1))
