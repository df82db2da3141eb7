"""Whether a pattern takes a number of steps that is linear in the length of its text."""

from re import Pattern
from typing import Any

from tests.patterns.machine import Machine, TooManySteps
from tests.patterns.texts import Text, Texts

# Twice the text may take twice the steps, and a little more. What takes more of a short text is
# looked at with longer ones: a repetition with a limit looks quadratic until it is reached.
LENGTHS = (100, 400, 1_600)
MAX_FACTOR = 2.3
SPARE_STEPS = 200
MAX_STEPS_PER_CHARACTER = 400


def superlinear(pattern: Pattern[Any], uses: set[str], *, thorough: bool = True) -> Text | None:
    """A text for which a pattern takes more, used in one of those ways; None if there is none."""
    machine = Machine(pattern)
    for text in Texts(machine, thorough=thorough):
        if any(_grows(machine, use, text) for use in sorted(uses)):
            return text
    return None


def _grows(machine: Machine, use: str, text: Text) -> bool:
    try:
        return all(
            _steps(machine, use, text.of_length(2 * length))
            > MAX_FACTOR * _steps(machine, use, text.of_length(length)) + SPARE_STEPS
            for length in LENGTHS
        )
    except TooManySteps:
        return True


def _steps(machine: Machine, use: str, text: str) -> int:
    """The steps that a text takes; raises TooManySteps."""
    subject = text.encode("latin-1") if machine.is_bytes else text
    getattr(machine, use)(subject, MAX_STEPS_PER_CHARACTER * len(text))
    return machine.steps
