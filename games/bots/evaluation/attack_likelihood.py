"""Attack likelihood: how likely an enemy attacks a piece whose rank it does not know."""

from collections.abc import Collection
from math import exp

from games.bots.evaluation.piece_values import PieceValues

MAX_LIKELIHOOD = 0.8
MIN_LIKELIHOOD = 0.1
SCALE = 3.0  # the expected gain that moves the likelihood noticeably from its middle
SCOUTING_GAIN = 1.0  # what the enemy gains by learning a rank


def attack_likelihood(values: PieceValues, enemy: int, candidates: Collection[int]) -> float:
    """How likely an enemy attacks a piece that may be any of these contents, all as likely.

    A logistic function of what the enemy may expect to gain.
    """
    own_gain = sum(values.gain(enemy, own) for own in candidates) / (len(candidates) or 1)
    expected = SCOUTING_GAIN - own_gain
    return MIN_LIKELIHOOD + (MAX_LIKELIHOOD - MIN_LIKELIHOOD) / (1 + exp(-expected / SCALE))
