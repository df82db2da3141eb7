"""Shares: which stories a run of the twins lives, and how they are divided among tests.

Of the stories that everybody knows each run lives one share, another at each commit, and of the
pairs that each makes one. TWIN_PAIRS asks for the first so many pairs instead, and TWIN_SEED for
stories that nobody has lived before.
"""

import os
from dataclasses import dataclass
from math import ceil

from tests.rotation import EVERYTHING, PARTS, part, turn

KNOWN = 25  # stories of each preset


@dataclass(frozen=True)
class Share:
    """`numbers`: of the stories of each preset; `sides`: of the truths that are compared with the
    first; `words`: the environment that asks for it again."""

    numbers: range
    sides: range
    seed: str
    words: str


def of_this_run(presets: int, truths: int) -> Share:
    """The share of this run, of so many presets whose stories have so many truths each."""
    sides = range(1, truths)
    seed = os.environ.get("TWIN_SEED", "")
    words = f"TWIN_SEED={seed}" if seed else ""
    if pairs := os.environ.get("TWIN_PAIRS"):
        count = ceil(int(pairs) / presets / len(sides))
        return Share(range(count), sides, seed, f"{words} TWIN_PAIRS={pairs}".strip())
    words = f"{words} ROTATION={turn()}".strip()
    if turn() == EVERYTHING:
        return Share(range(KNOWN), sides, seed, words)
    count, number = KNOWN // PARTS, part()
    numbers = range(number * count, (number + 1) * count)
    # Once all stories had their turn with one of their truths, they have it with the next.
    side = sides[int(turn()) // PARTS % len(sides)]
    return Share(numbers, range(side, side + 1), seed, words)


def divided(presets: list[str], stories: int, least: int) -> list[list[str]]:
    """The presets of each test, each of them with so many stories: none has less than `least`.

    They are dealt like cards, so that games of all sorts meet in each, and nothing is left over.
    """
    together = max(2, ceil(least / stories))
    tests = max(1, len(presets) // together)
    return [presets[turn::tests] for turn in range(tests)]
