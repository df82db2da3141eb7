"""The brain of games with hidden ranks, by the rules' interface alone."""

from random import Random

from games.bots.belief.tracked_units import Units
from games.bots.evaluation.move_values import OnePly
from games.bots.evaluation.situation import Situation
from games.bots.levels import Level
from games.bots.search.forced_wins import Sieges
from games.bots.search.sampled_alphabeta import Skirmish
from games.bots.search.sampled_positions import Fears, drawn_world
from games.protocol.lines import Told
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Rank
from games.rules.core.text.notation import write_move

MANY = 24  # own pieces: the fewer there are, the less is misjudged, unless they strike from afar


class HiddenBrain:
    """Follows a match from one seat and chooses its moves."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.units: Units | None = None
        self.last: Told | None = None
        self.looked = 0  # at legal moves, for the last choice

    def hear(self, told: Told) -> None:
        """Take in a line that asks for a move."""
        if self.units is None:
            self.units = Units(told.rules, told.seat)
        self.units.hear(told.heard, told.observation)
        self.last = told

    def choose(self, rng: Random) -> str:
        """The text of the move that seems best."""
        told, units = self._heard()
        level = self.level
        situation = Situation(units, told.observation, keen=level.keen, cautious=level.watchful)
        moves = self._moves(told, situation, rng)
        self.looked = len(moves)
        if not moves:
            return rng.choice(told.legal)
        oneply = OnePly(situation, wary=level.wary, watchful=level.watchful)
        appraisals = {text: oneply.appraise(move) for text, move in moves.items()}
        if level.sieges and told.rules.volleys:
            sieges = Sieges(situation, rng, level.sieges)
            best = sieges.best(moves, {text: one.total for text, one in appraisals.items()})
            self.looked += sieges.looked
            return best
        scores = {text: one.total for text, one in appraisals.items()}
        if level.skirmish and units.battles.straight_steps:
            skirmish = Skirmish(situation, oneply.fields, rng, level.skirmish)
            follows = skirmish.follows(moves, appraisals)
            scores = {text: appraisals[text].at_once + value for text, value in follows.items()}
            self.looked += skirmish.looked
        elif level.worlds:
            fears = Fears(situation, rng, level.worlds)
            scores = {text: score - fears.of(moves[text]) for text, score in scores.items()}
            self.looked += fears.looked
        crowd = min(1.0, len(situation.own) / MANY)
        noise = level.far_noise if told.rules.volleys else level.noise * crowd
        for text in sorted(scores):
            scores[text] += rng.uniform(-noise, noise)
        return max(sorted(scores), key=lambda text: scores[text])

    def _moves(self, told: Told, situation: Situation, rng: Random) -> dict[str, Move]:
        """The legal moves by their texts, in order."""
        rules = told.rules
        position = drawn_world(situation, rng)
        listed = {write_move(rules, move): move for move in rules.legal_moves(position, told.seat)}
        legal = told.legal or sorted(listed)
        return {text: listed[text] for text in sorted(legal) if text in listed}

    def believes(self) -> dict[str, dict[Rank, float]]:
        """For each square of an enemy piece the chance of each rank, as plain data."""
        told, units = self._heard()
        return Situation(units, told.observation, keen=self.level.keen).belief.told()

    def evaluate(self) -> float:
        """How this seat stands, from -1 (lost) to 1 (won), by pieces alone.

        Behind, but with nothing left that could beat it, is even.
        """
        told, units = self._heard()
        values = Situation(units, told.observation, keen=self.level.keen).values
        own, foe = values.armies
        if own < foe and not values.beatable():
            return 0.0
        return round((own - foe) / max(1.0, own + foe), 4)

    def _heard(self) -> tuple[Told, Units]:
        if self.last is None or self.units is None:
            raise ValueError("Nothing has been told yet.")
        return self.last, self.units
