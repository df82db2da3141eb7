"""Adjacent exposure: what a move adds to the expected losses to enemies next to own pieces."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import adjacent_cells
from games.bots.evaluation.attack_likelihood import attack_likelihood
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import KIND

REVEALED_RISK = 0.9  # how likely an enemy attacks a piece that it knows it beats
FURTHER_SHARE = 0.35  # what every exposed piece but the worst one counts
RECAPTURE_SHARE = 0.6  # of the value of the attacker, if an adjacent piece can take it in return
MIN_CHANCE = 0.02  # of a battle's outcome that is evaluated


class OwnPiece(NamedTuple):
    """An own piece, and what the enemy knows of it: its rank, or whether it has moved."""

    content: int
    revealed: bool
    moved: bool


Board = Mapping[int, OwnPiece]  # own pieces by cell


class AdjacentExposure:
    """Evaluates the boards to which the moves of one situation lead."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.values = situation.values
        self.board = situation.rules.board
        self.enemies = {unit.cell: unit for unit in situation.enemies}
        self.own = {
            unit.cell: OwnPiece(unit.content, unit.revealed, unit.moved)
            for unit in situation.own
            if unit.content is not None
        }
        self.mobile = {own.content for own in self.own.values() if self._is_mobile(own.content)}
        self._risk = cache(self._attack_risk)
        self._loss = cache(self._expected_loss)
        self.before = self._exposure(self.own)

    def added(self, source: int, stop: int, target: int | None) -> float:
        """How much a move adds to the exposure: from `source` to `stop`, attacking `target`."""
        mover = self.own[source]
        others = {cell: own for cell, own in self.own.items() if cell != source}
        if target is None:
            return self._exposure(others | {stop: mover._replace(moved=True)}) - self.before
        added = 0.0
        for (own_left, enemy_left), chance in self._outcomes(mover.content, target).items():
            if chance > MIN_CHANCE:
                board = others
                if own_left:
                    board = others | {target: OwnPiece(mover.content, True, True)}
                removed = None if enemy_left else target
                added += chance * (self._exposure(board, removed) - self.before)
        return added

    def _outcomes(self, content: int, target: int) -> dict[tuple[bool, bool], float]:
        """By which pieces an attack leaves, own and enemy, its chance; the match goes on."""
        chances: dict[tuple[bool, bool], float] = {}
        for enemy, chance in self.situation.contents[target]:
            result = self.values.battles.battle(content, enemy)
            if not result.winner:
                contents = {result.at_source, result.at_target}
                left = content in contents, enemy in contents
                chances[left] = chances.get(left, 0.0) + chance
        return chances

    def _exposure(self, board: Board, removed: int | None = None) -> float:
        """What own pieces may lose to adjacent enemies, except to one that is removed."""
        worst = further = 0.0
        for cell, own in board.items():
            enemies = [
                enemy
                for other in adjacent_cells(self.board, cell)
                if (enemy := self.enemies.get(other)) and enemy.cell != removed
            ]
            if enemies:
                defender = self._strongest_defender(board, cell)
                loss = max(self._loss(enemy, own, defender) for enemy in enemies)
                worst, further = max(worst, loss), further + min(worst, loss)
        return worst + FURTHER_SHARE * further

    def _strongest_defender(self, board: Board, cell: int) -> int:
        """The most valuable own piece that could take an enemy on a cell; 0 if none."""
        adjacent = (
            board[other].content for other in adjacent_cells(self.board, cell) if other in board
        )
        table = self.values.table
        return max(
            (content for content in adjacent if content in self.mobile),
            key=lambda content: table[content],
            default=0,
        )

    def _expected_loss(self, enemy: Unit, own: OwnPiece, defender: int) -> float:
        """What an own piece is expected to lose to an adjacent enemy."""
        expected = 0.0
        battle = self.values.battles.battle
        for content, chance in self.situation.contents[enemy.cell]:
            if not self._is_mobile(content):
                continue
            loss = -self.values.gain(content, own.content)
            if loss <= 0:
                continue
            if defender and battle(content, own.content).at_target == content:
                loss -= RECAPTURE_SHARE * max(0.0, self.values.gain(defender, content))
            risk = REVEALED_RISK if own.revealed else self._risk(content, moved=own.moved)
            expected += chance * risk * max(0.0, loss)
        return expected

    def _attack_risk(self, enemy: int, *, moved: bool) -> float:
        """How likely an enemy attacks a piece of which it knows only whether it has moved."""
        candidates = [
            own.content
            for own in self.own.values()
            if not own.revealed
            and (own.content in self.mobile or not moved)
            and own.content & KIND not in self.situation.flag_kinds
        ]
        return attack_likelihood(self.values, enemy, candidates)

    def _is_mobile(self, content: int) -> bool:
        return self.situation.rules.rank_of(content) in self.values.battles.mobile
