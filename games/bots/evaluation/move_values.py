"""One-ply player: each move by what it is expected to bring at once, and what it exposes."""

from typing import NamedTuple

from games.bots.belief.tracked_units import Unit
from games.bots.evaluation.adjacent_exposure import Neighbours
from games.bots.evaluation.flag_safety import Safety
from games.bots.evaluation.piece_square_tables import Fields
from games.bots.evaluation.situation import Situation
from games.bots.evaluation.volley_exposure import Exposure
from games.rules.core.basics.moves import Attack, Charge, Move, Walk

DRAWN_AFAR = 0.5  # of how well a piece stands, where the attacks from there are weighed as well
BACKTRACK = 1.6  # what going straight back costs
RECENT_TURNS = 12  # in which a cell that a piece comes back to is remembered
ROOM = 0.8  # of what another own piece gains by stepping where this one makes room for it


class Appraisal(NamedTuple):
    """The parts of what a move is worth."""

    battle: float  # what the battle is expected to bring
    place: float  # how much better the piece stands afterwards, and what decides is guarded
    risk: float  # how much more it stands to lose
    manner: float  # secrecy, and not going to and fro

    @property
    def at_once(self) -> float:
        """What the move brings before anybody answers."""
        return self.battle + self.place + self.manner

    @property
    def total(self) -> float:
        """The same less the risk, where nothing is searched."""
        return self.at_once - self.risk


def parts_of(move: Move) -> tuple[int, int, int | None]:
    """Where a move begins, where its piece stops, and which cell it attacks."""
    if isinstance(move, Walk):
        return move.source, move.target, None
    if isinstance(move, Attack):
        return move.source, move.source, move.target
    if isinstance(move, Charge):
        return move.source, move.via, move.target
    raise TypeError(f"{type(move).__name__} is no move of a game of hidden armies.")


class OnePly:
    """Appraises the moves of one situation; `watchful` minds who guards what decides the match."""

    def __init__(self, situation: Situation, *, wary: bool = True, watchful: bool = False) -> None:
        self.situation = situation
        self.fields = Fields(situation)
        self.safety = Safety(situation) if watchful else None
        units = situation.units
        own = [(source, target) for seat, source, target in units.trail if seat is units.seat]
        self.recent = own[-RECENT_TURNS:]
        # Where pieces strike from afar, what stands beside them is little of what matters.
        afar = situation.rules.volleys
        self.drawn = DRAWN_AFAR if afar and wary else 1.0
        self.exposure: Exposure | Neighbours | None = None
        if wary:
            self.exposure = Exposure(situation) if afar else Neighbours(situation)

    def appraise(self, move: Move) -> Appraisal:
        """What a move is worth."""
        situation = self.situation
        source, stop, target = parts_of(move)
        unit = situation.units.at[source]
        content = unit.content or 0
        fields = self.fields
        field = fields.of(content)
        manner = self._manner(unit, source, target if target is not None else stop)
        risk = self.exposure.worse(source, stop, target) if self.exposure else 0.0
        if target is None:
            place = field[stop] - field[source] - self._unguarded(source, content, stop)
            place += ROOM * (fields.wanted(source, source) - fields.wanted(stop, source))
            return Appraisal(0.0, self.drawn * place, risk, manner)
        foe = situation.units.at[target]
        contents = situation.contents[target]
        lives = situation.values.survival(content, contents)
        battle = situation.attack(content, foe) - lives * situation.secrecy(unit)
        place = lives * field[target] - field[source]
        place -= lives * self._unguarded(source, content, target, target)
        place -= (1 - lives) * self._unguarded(source, content, None, target)
        return Appraisal(battle, self.drawn * place, risk, manner)

    def _unguarded(
        self, source: int, content: int, cell: int | None, struck: int | None = None
    ) -> float:
        return self.safety.lost(source, content, cell, struck) if self.safety else 0.0

    def _manner(self, unit: Unit, source: int, target: int) -> float:
        habits = self.situation.habits
        cost = 0.0 if unit.moved else habits.first_step
        if self.recent and self.recent[-1] == (target, source):
            cost += BACKTRACK
        return -cost - habits.retread * sum(reached == target for _, reached in self.recent)
