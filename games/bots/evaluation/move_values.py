"""Move values: a one-ply evaluation of each move: its battle, its squares, and its exposure."""

from typing import NamedTuple

from games.bots.belief.tracked_units import Unit
from games.bots.evaluation.adjacent_exposure import AdjacentExposure
from games.bots.evaluation.flag_safety import FlagSafety
from games.bots.evaluation.piece_square_tables import PieceSquareTables
from games.bots.evaluation.situation import Situation
from games.bots.evaluation.volley_exposure import VolleyExposure
from games.rules.core.basics.moves import Attack, Charge, Move, Walk

VOLLEY_PLACE_SHARE = 0.5  # of the value of squares, where exposure weighs attacks from them too
BACKTRACK_COST = 1.6  # of moving straight back
RECENT_TURNS = 12  # in which a visit to a cell is remembered
ROOM_SHARE = 0.8  # of what another own piece gains by moving where this one makes room


class MoveValue(NamedTuple):
    """The parts of a move's value."""

    battle: float  # what the battle is expected to gain
    place: float  # how much better pieces stand, and the flag is defended
    exposure: float  # how much more may be lost
    penalty: float  # for showing that a piece can move, and for moving back and forth; at most 0

    @property
    def at_once(self) -> float:
        """What the move gains before any reply."""
        return self.battle + self.place + self.penalty

    @property
    def total(self) -> float:
        """What the move gains, less its exposure, where replies are not searched."""
        return self.at_once - self.exposure


def move_cells(move: Move) -> tuple[int, int, int | None]:
    """The source of a move, the cell where its piece stops, and the target of its attack."""
    if isinstance(move, Walk):
        return move.source, move.target, None
    if isinstance(move, Attack):
        return move.source, move.source, move.target
    if isinstance(move, Charge):
        return move.source, move.via, move.target
    raise TypeError(f"{type(move).__name__} is no move of a game of hidden armies.")


class MoveEvaluation:
    """Evaluates the moves of one situation."""

    def __init__(self, situation: Situation) -> None:
        level = situation.level
        self.situation = situation
        self.squares = PieceSquareTables(situation)
        self.safety = FlagSafety(situation) if level.guards_flag else None
        units = situation.units
        own = [(source, target) for seat, source, target in units.history if seat is units.seat]
        self.recent = own[-RECENT_TURNS:]
        volleys = situation.rules.volleys
        self.place_share = VOLLEY_PLACE_SHARE if volleys and level.sees_exposure else 1.0
        self.exposure: VolleyExposure | AdjacentExposure | None = None
        if level.sees_exposure:
            # Where pieces attack from afar, the enemies next to them are a small part of the risk.
            self.exposure = VolleyExposure(situation) if volleys else AdjacentExposure(situation)

    def evaluate(self, move: Move) -> MoveValue:
        """The value of a move."""
        situation = self.situation
        source, stop, target = move_cells(move)
        unit = situation.units.at[source]
        content = unit.content or 0
        squares = self.squares
        table = squares.table(content)
        penalty = self._penalty(unit, source, target if target is not None else stop)
        exposure = self.exposure.added(source, stop, target) if self.exposure else 0.0
        if target is None:
            place = table[stop] - table[source] - self._added_threat(source, content, stop)
            left, occupied = (squares.best_neighbour_gain(cell, source) for cell in (source, stop))
            place += ROOM_SHARE * (left - occupied)
            return MoveValue(0.0, self.place_share * place, exposure, penalty)
        enemy = situation.units.at[target]
        contents = situation.contents[target]
        survival = situation.values.survival_chance(content, contents)
        battle = situation.attack_value(content, enemy) - survival * situation.secrecy_value(unit)
        place = survival * table[target] - table[source]
        place -= survival * self._added_threat(source, content, target, target)
        place -= (1 - survival) * self._added_threat(source, content, None, target)
        return MoveValue(battle, self.place_share * place, exposure, penalty)

    def _added_threat(
        self, source: int, content: int, cell: int | None, attacked: int | None = None
    ) -> float:
        """How much more the own flag is threatened after a move."""
        return self.safety.added_threat(source, content, cell, attacked) if self.safety else 0.0

    def _penalty(self, unit: Unit, source: int, target: int) -> float:
        heuristics = self.situation.heuristics
        cost = 0.0 if unit.moved else heuristics.first_move_cost
        if self.recent and self.recent[-1] == (target, source):
            cost += BACKTRACK_COST
        return -cost - heuristics.revisit_cost * sum(
            visited == target for _, visited in self.recent
        )
