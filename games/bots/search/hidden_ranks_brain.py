"""Brain for games with hidden ranks, which needs only the interface of the rules."""

from random import Random

from games.bots.belief.tracked_units import TrackedUnits
from games.bots.evaluation.move_values import MoveEvaluation
from games.bots.evaluation.situation import Situation
from games.bots.levels import Level
from games.bots.search.forced_wins import ForcedWinSearch
from games.bots.search.sampled_alphabeta import SampledAlphaBeta
from games.bots.search.sampled_positions import FlagLossCheck, sample_position
from games.protocol.lines import Request
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Rank
from games.rules.core.text.notation import write_move

FULL_NOISE_PIECES = 24  # of the own army; with fewer, noise shrinks, unless there are volleys


class HiddenRanksBrain:
    """Follows a match from one seat and chooses its moves."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.units: TrackedUnits | None = None
        self.last: Request | None = None
        self.nodes = 0  # moves and positions examined for the last choice

    def update(self, request: Request) -> None:
        """Take in a request for a move."""
        if self.units is None:
            self.units = TrackedUnits(request.rules, request.seat)
        self.units.update(request.heard, request.observation)
        self.last = request

    def choose(self, rng: Random) -> str:
        """The text of the best move."""
        request, units = self._current()
        level = self.level
        situation = Situation(units, request.observation, level)
        moves = self._moves(request, situation, rng)
        self.nodes = len(moves)
        if not moves:
            return rng.choice(request.legal)
        evaluation = MoveEvaluation(situation)
        values = {text: evaluation.evaluate(move) for text, move in moves.items()}
        scores = {text: value.total for text, value in values.items()}
        if level.forced_win_moves and request.rules.volleys:
            forced_wins = ForcedWinSearch(situation, rng, level.forced_win_moves)
            best = forced_wins.best(moves, scores)
            self.nodes += forced_wins.nodes
            return best
        if level.alphabeta_positions and units.battles.single_steps:
            search = SampledAlphaBeta(situation, evaluation.squares, rng, level.alphabeta_positions)
            continuations = search.continuation_values(moves, values)
            scores = {text: values[text].at_once + value for text, value in continuations.items()}
            self.nodes += search.nodes
        elif level.samples:
            check = FlagLossCheck(situation, rng, level.samples)
            scores = {text: score - check.cost(moves[text]) for text, score in scores.items()}
            self.nodes += check.nodes
        army_share = min(1.0, len(situation.own) / FULL_NOISE_PIECES)
        noise = level.volley_noise if request.rules.volleys else level.noise * army_share
        for text in sorted(scores):
            scores[text] += rng.uniform(-noise, noise)
        return max(sorted(scores), key=lambda text: scores[text])

    def _moves(self, request: Request, situation: Situation, rng: Random) -> dict[str, Move]:
        """The legal moves by their texts, sorted."""
        rules = request.rules
        position = sample_position(situation, rng)
        by_text = {
            write_move(rules, move): move for move in rules.legal_moves(position, request.seat)
        }
        legal = request.legal or sorted(by_text)
        return {text: by_text[text] for text in sorted(legal) if text in by_text}

    def beliefs(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, the chance of each rank."""
        return self._situation().belief.by_square()

    def evaluate(self) -> float:
        """The evaluation of this seat, from -1 (lost) to 1 (won), by piece values alone.

        A seat that is behind but can no longer lose stands even.
        """
        values = self._situation().values
        own, enemy = values.army_values
        if own < enemy and not values.can_lose():
            return 0.0
        return round((own - enemy) / max(1.0, own + enemy), 4)

    def _situation(self) -> Situation:
        request, units = self._current()
        return Situation(units, request.observation, self.level)

    def _current(self) -> tuple[Request, TrackedUnits]:
        if self.last is None or self.units is None:
            raise ValueError("There was no request yet.")
        return self.last, self.units
