"""Shares: which stories a run of the twins lives, and how they are divided among tests.

`make test` lives the same few stories at every commit, one pair of each. TWIN_PAIRS asks for the
first so many pairs instead, and TWIN_SEED for new stories.
"""

import os
from dataclasses import dataclass
from math import ceil

KNOWN = 25  # stories of each preset; `make soak` lives them all


@dataclass(frozen=True)
class Share:
    """`numbers`: of the stories of each preset; `sides`: of the truths that are compared with the
    first; `words`: the environment that asks for it again; `is_fast`: nobody asked for pairs.
    """

    numbers: range
    sides: range
    seed: str
    words: str
    is_fast: bool


def of_this_run(presets: int, truths: int) -> Share:
    """The share of this run, of so many presets whose stories have so many truths each."""
    seed = os.environ.get("TWIN_SEED", "")
    words = f"TWIN_SEED={seed}" if seed else ""
    if pairs := os.environ.get("TWIN_PAIRS"):
        count = ceil(int(pairs) / presets / (truths - 1))
        return Share(
            range(count), range(1, truths), seed, f"{words} TWIN_PAIRS={pairs}".strip(), False
        )
    return Share(range(1), range(1, 2), seed, words, True)


def divided(presets: list[str], stories: int, least: int) -> list[list[str]]:
    """The presets of each test, each of them with so many stories: none has less than `least`.

    They are dealt like cards, so that games of all sorts meet in each, and nothing is left over.
    """
    together = max(2, ceil(least / stories))
    tests = max(1, len(presets) // together)
    return [presets[turn::tests] for turn in range(tests)]
