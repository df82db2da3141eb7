"""Neighbours: what a board leaves open to the enemies that stand beside own pieces."""

from collections.abc import Mapping
from typing import NamedTuple

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import beside
from games.bots.evaluation.attack_likelihood import daring
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import KIND

TOLD_RISK = 0.9  # how surely an enemy takes a piece that it knows it beats
FURTHER_RISK = 0.35  # what a second piece that can be taken counts, and every further one
COVER = 0.6  # of what is taken in return by a piece that stands beside
RARE = 0.02  # the chance of a battle's outcome that is not looked into


class Stand(NamedTuple):
    """An own piece, and what the enemy knows of it: its rank, or whether it has moved."""

    content: int
    told: bool
    moved: bool


Board = Mapping[int, Stand]  # own pieces by cell


class Neighbours:
    """Weighs the boards that the moves of one situation lead to."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.values = situation.values
        self.board = situation.rules.board
        self.enemies = {unit.cell: unit for unit in situation.enemies}
        self.own = {
            unit.cell: Stand(unit.content, unit.told, unit.moved)
            for unit in situation.own
            if unit.content is not None
        }
        self.mobile = {stand.content for stand in self.own.values() if self._moves(stand.content)}
        self._risks: dict[tuple[int, bool], float] = {}
        self._losses: dict[tuple[int, Stand, int], float] = {}
        self.before = self._open(self.own)

    def worse(self, source: int, stop: int, target: int | None) -> float:
        """How much more a move leaves open: from `source` to `stop`, and at `target` from there."""
        stand = self.own[source]
        left = {cell: one for cell, one in self.own.items() if cell != source}
        if target is None:
            return self._open(left | {stop: stand._replace(moved=True)}) - self.before
        risk = 0.0
        for chance, boards in self._outcomes(stand.content, target):
            if chance > RARE:
                own = left | {target: Stand(stand.content, True, True)} if boards.mine else left
                risk += chance * (self._open(own, None if boards.theirs else target) - self.before)
        return risk

    def _outcomes(self, content: int, target: int) -> list[tuple[float, "_Left"]]:
        """How likely an attack leaves which side's piece, where the match goes on."""
        chances: dict[_Left, float] = {}
        for one, chance in self.situation.contents[target]:
            clash = self.values.battles.clash(content, one)
            if not clash.decisive:
                standing = {clash.behind, clash.ahead}
                left = _Left(content in standing, one in standing)
                chances[left] = chances.get(left, 0.0) + chance
        return [(chance, left) for left, chance in chances.items()]

    def _open(self, own: Board, gone: int | None = None) -> float:
        """What own pieces stand to lose to their neighbours, but for an enemy that is gone."""
        worst = further = 0.0
        for cell, stand in own.items():
            enemies = [
                enemy
                for other in beside(self.board, cell)
                if (enemy := self.enemies.get(other)) and enemy.cell != gone
            ]
            if enemies:
                cover = self._cover(own, cell)
                loss = max(self._loss(enemy, stand, cover) for enemy in enemies)
                worst, further = max(worst, loss), further + min(worst, loss)
        return worst + FURTHER_RISK * further

    def _cover(self, own: Board, cell: int) -> int:
        """The strongest own piece beside a cell, which could take an enemy there; 0 if none."""
        helpers = (own[other].content for other in beside(self.board, cell) if other in own)
        table = self.values.table
        return max(
            (content for content in helpers if content in self.mobile),
            key=lambda content: table[content],
            default=0,
        )

    def _loss(self, enemy: Unit, stand: Stand, cover: int) -> float:
        """What a piece is expected to lose to an enemy beside it."""
        key = (enemy.cell, stand, cover)
        found = self._losses.get(key)
        if found is None:
            found = 0.0
            for one, chance in self.situation.contents[enemy.cell]:
                loss = -self.values.swing(one, stand.content) if self._moves(one) else 0.0
                if loss <= 0:
                    continue
                if cover and self.values.battles.clash(one, stand.content).ahead == one:
                    loss -= COVER * max(0.0, self.values.swing(cover, one))
                risk = TOLD_RISK if stand.told else self._risk(one, moved=stand.moved)
                found += chance * risk * max(0.0, loss)
            self._losses[key] = found
        return found

    def _risk(self, one: int, *, moved: bool) -> float:
        """How likely an enemy attacks a piece of which it knows only whether it has moved."""
        key = (one, moved)
        found = self._risks.get(key)
        if found is None:
            crowns = self.situation.crowns
            able = [
                stand.content
                for stand in self.own.values()
                if not stand.told
                and (stand.content in self.mobile or not moved)
                and stand.content & KIND not in crowns
            ]
            found = self._risks[key] = daring(self.values, one, able)
        return found

    def _moves(self, content: int) -> bool:
        return self.situation.rules.rank_of(content) in self.values.battles.mobile


class _Left(NamedTuple):
    """Whose piece a battle leaves."""

    mine: bool
    theirs: bool
