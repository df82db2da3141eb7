"""Blind strikes: whether it pays to strike what is not known, by all that it may be.

A world that is searched shows every piece. Whoever would strike only because of that is kept from
it by this.
"""

from collections.abc import Set

from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import FLAG_HOPE, Situation
from games.rules.core.basics.pieces import KIND

LEAST_GAIN = 0.5  # of a strike that is thought of


class BlindStrikes:
    """The strikes of one situation, each reckoned once; `untold` are own pieces nobody knows."""

    def __init__(self, situation: Situation, untold: Set[int]) -> None:
        self.situation = situation
        self.untold = untold
        self._paying: dict[tuple[int, int], bool] = {}
        self._tempting: dict[int, bool] = {}

    def pay(self, attacker: int, cell: int) -> bool:
        """Whether striking the unknown enemy of a cell pays by what is believed of it."""
        key = (attacker, cell)
        found = self._paying.get(key)
        if found is None:
            contents = self.situation.contents[cell]
            hope = WIN * self.situation.crown_chance(attacker, contents)
            expected = self.situation.values.expected(attacker, contents)
            found = self._paying[key] = expected - (1 - FLAG_HOPE) * hope > LEAST_GAIN
        return found

    def tempt(self, attacker: int) -> bool:
        """Whether striking an own piece at random, of those it does not know, pays an enemy."""
        found = self._tempting.get(attacker)
        if found is None:
            swing, crowns = self.situation.values.swing, self.situation.crowns
            # It does not count on what decides the match, unless nothing else is left unknown.
            others = [content for content in self.untold if content & KIND not in crowns]
            gain = sum(swing(attacker, content) for content in others or self.untold)
            found = self._tempting[attacker] = gain < 0
        return found
