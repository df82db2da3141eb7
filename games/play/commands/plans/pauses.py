"""The pause before an answer: drawn once, from chance and the clock alone."""

import math
import secrets
from datetime import datetime, timedelta

from games.play.time_controls import ZERO

SHORTEST, LONGEST = timedelta(minutes=3), timedelta(hours=2)
SHARE = 8  # a pause takes at most this part of the time left


def draw_pause(began: datetime, deadline: datetime | None) -> timedelta:
    """A pause in a turn that began at `began`; short ones are likelier.

    Its logarithm is uniform, so half of all pauses last less than twenty minutes.
    """
    longest = LONGEST if deadline is None else min(LONGEST, (deadline - began) / SHARE)
    if longest <= ZERO:
        return ZERO
    shortest = min(SHORTEST, longest)
    exponent = secrets.SystemRandom().uniform(
        math.log(shortest.total_seconds()), math.log(longest.total_seconds())
    )
    return min(timedelta(seconds=math.exp(exponent)), longest)
