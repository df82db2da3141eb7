"""Blind attacks: whether attacking an unknown piece pays, by all that it may be.

In a sampled position every rank is known. These rules keep a search from attacks that only pay
because of that.
"""

from collections.abc import Set
from functools import cache

from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import FLAG_HOPE, Situation
from games.rules.core.basics.pieces import KIND

MIN_GAIN = 0.5  # of an attack that is considered


class BlindAttacks:
    """The attacks of one situation; `unrevealed` are the own contents that the enemy can't tell."""

    def __init__(self, situation: Situation, unrevealed: Set[int]) -> None:
        self.situation = situation
        self.unrevealed = unrevealed
        self.pays = cache(self._pays)
        self.pays_enemy = cache(self._pays_enemy)

    def _pays(self, attacker: int, cell: int) -> bool:
        """Whether an own piece should attack the unknown enemy on a cell."""
        contents = self.situation.contents[cell]
        win = WIN * self.situation.win_chance(attacker, contents)
        expected = self.situation.values.expected_gain(attacker, contents)
        return expected - (1 - FLAG_HOPE) * win > MIN_GAIN

    def _pays_enemy(self, attacker: int) -> bool:
        """Whether an enemy should attack an own piece at random, of those it does not know."""
        gain, flag_kinds = self.situation.values.gain, self.situation.flag_kinds
        # It does not hope for a flag, unless flags are all that is unknown to it.
        others = [content for content in self.unrevealed if content & KIND not in flag_kinds]
        return sum(gain(attacker, content) for content in others or self.unrevealed) < 0
