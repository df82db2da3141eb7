"""Neighbours: what a piece stands to lose to the enemies beside it."""

from games.bots.brains.situation import Situation

TOLD_RISK = 0.9  # how surely an enemy takes a piece that it knows it beats
UNTOLD_RISK = 0.35  # how surely one attacks a piece that it does not know
UNLIKELY = 0.05  # a chance of being left after a battle that is not looked into


class Neighbours:
    """Weighs the squares that the moves of one situation lead to."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        stride = situation.rules.board.stride
        self.steps = (1, -1, stride, -stride)

    def worse(self, source: int, stop: int, target: int | None) -> float:
        """How much more a move leaves open: from `source` to `stop`, and at `target` from there."""
        unit = self.situation.units.at[source]
        content = unit.content or 0
        risk = -self._risk(content, source, told=unit.told)
        if target is None:
            return risk + self._risk(content, stop, told=unit.told)
        lives = self.situation.values.survival(content, self.situation.contents[target])
        if lives > UNLIKELY:
            risk += lives * self._risk(content, target, told=True)
        return risk

    def _risk(self, content: int, cell: int, *, told: bool) -> float:
        """What a piece on a cell is expected to lose to its neighbours."""
        situation = self.situation
        swing = situation.values.swing
        mobile = situation.units.battles.mobile
        rank_of = situation.rules.rank_of
        worst = 0.0
        for step in self.steps:
            foe = situation.units.at.get(cell + step)
            if foe is None or foe.seat is situation.seat:
                continue
            loss = 0.0
            for one, chance in situation.contents[foe.cell]:
                if rank_of(one) in mobile:
                    loss -= chance * min(0.0, swing(one, content))
            worst = max(worst, loss * (TOLD_RISK if told else UNTOLD_RISK))
        return worst
