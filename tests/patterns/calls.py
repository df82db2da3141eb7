"""Counts function calls, for tests of the amount of work."""

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from games.rules.core.basics.refusals import Refusal


def calls(function: Callable[..., object], *arguments: object) -> int:
    """How many functions are called, our own and those written in C, until it returns or refuses.

    What one of them does in C is not counted.
    """
    count = 0

    def note(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        with suppress(Refusal):
            function(*arguments)
    finally:
        sys.setprofile(None)
    return count
