"""The backtracking machine matches as `re` does, for patterns made up at random."""

import random
import re
import sys
import warnings
from typing import Any

import pytest

from tests.patterns.machine import Machine, TooManySteps
from tests.patterns.possessive import may_fail_halfway

PATTERNS = 1_500
TEXTS = 6
MAX_STEPS = 200_000
ATOMS = (
    *("a", "b", "c", "0", " ", "\n", "[ab]", "[^a]", ".", "[a-c]"),
    *(r"\s", r"\d", r"\w", r"\S", r"\b", r"\B", "^", "$", r"\Z", r"\A"),
    *("(?=a)", "(?!b)", "(?<=a)", "(?<!b )"),
)
REPEATS = (
    *("*", "+", "?", "{2}", "{1,3}", "{2,}"),
    *("*?", "+?", "??", "{1,2}?", "*+", "++", "?+"),
)
AROUND = ("({})", "(?>{})", "(?={})", "(?!{})", "(?i:{})", "(?s:{})", "(?m:{})", "(?-i:{})")
FLAGS = (0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII, re.IGNORECASE | re.MULTILINE)
REFERENCES = (r"({})\1c?", "({})?(?(1)a|b)")


def _pattern(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(ATOMS)
    parts = [_pattern(rng, depth - 1) for _ in range(3)]
    kind = rng.random()
    if kind < 0.35:
        return "".join(parts[: rng.randint(1, 3)])
    if kind < 0.55:
        return f"(?:{parts[0]}|{parts[1]})"
    if kind < 0.75:
        return rng.choice(AROUND).format(parts[0])
    return f"(?:{parts[0]}){rng.choice(REPEATS)}"


def _compiled(rng: random.Random) -> re.Pattern[Any] | None:
    """A pattern of text or bytes; None for one that `re` refuses."""
    source: Any = _pattern(rng, rng.randint(1, 4))
    flags = rng.choice(FLAGS)
    if rng.random() < 0.1:
        source, flags = rng.choice(REFERENCES).format(source), flags & ~re.IGNORECASE
    if rng.random() < 0.3:
        source = source.encode()
    try:
        return re.compile(source, flags)
    except (re.error, RecursionError):
        return None


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
def test_random_patterns_match_as_with_re(seed: int) -> None:
    rng = random.Random(seed)
    matches = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sets that might mean something else one day
        patterns = [one for _ in range(PATTERNS) if (one := _compiled(rng))]
        if sys.version_info < (3, 11, 5):
            patterns = [one for one in patterns if not may_fail_halfway(one)]
    for pattern in patterns:
        machine = Machine(pattern)
        for _ in range(TEXTS):
            text: Any = "".join(rng.choices("aabc B0\n_é", k=rng.randint(0, 12)))
            if machine.is_bytes:
                text = text.encode("latin-1")
            try:
                actual = (
                    machine.match(text, MAX_STEPS),
                    machine.fullmatch(text, MAX_STEPS),
                    machine.search(text, MAX_STEPS),
                    machine.finditer(text, MAX_STEPS),
                )
                expected = (
                    _span(pattern.match(text)),
                    _span(pattern.fullmatch(text)),
                    _span(pattern.search(text)),
                    [match.span() for match in pattern.finditer(text)],
                )
            # `re` has an error of its own with a group that is repeated within a lookahead.
            except (TooManySteps, SystemError):
                continue
            assert actual == expected, (pattern, text)
            matches += actual[2] is not None
    assert matches > PATTERNS


def _span(match: re.Match[Any] | None) -> tuple[int, int] | None:
    return match.span() if match else None


def test_steps_grow_with_the_attempts() -> None:
    machine = Machine(re.compile(r"[0-9]+\.+"))
    machine.match("1" * 1_000)
    once = machine.steps
    machine.search("1" * 1_000)
    assert 1_000 < once < 5_000 < 100 * once < machine.steps


def test_a_match_that_takes_too_long_is_aborted() -> None:
    with pytest.raises(TooManySteps):
        Machine(re.compile("(a+)+$")).match("a" * 40 + "b", limit=10_000)
