"""Sampled positions: complete positions drawn from a belief, to look for a lost flag in."""

from random import Random

from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.moves import Attack, Charge, Move
from games.rules.core.imagined_positions import Imagined, imagine

FLAG_LOSS_COST = 20.0  # for each sampled position in which the enemy can take the flag at once


def sample_position(situation: Situation, rng: Random) -> Imagined:
    """A position that agrees with the situation's belief."""
    rules = situation.rules
    ranks = {
        rules.board.names[cell]: rules.rank_of(content)
        for cell, content in situation.belief.sample(rng).items()
    }
    return imagine(rules, situation.observation, ranks)


class FlagLossCheck:
    """Checks in sampled positions whether a move lets the enemy take the flag at once."""

    def __init__(self, situation: Situation, rng: Random, samples: int) -> None:
        self.rules = situation.rules
        self.seat = situation.seat
        self.gain = situation.values.gain
        self.samples = [sample_position(situation, rng) for _ in range(samples)]
        self.nodes = 0  # legal moves examined

    def cost(self, move: Move) -> float:
        """The cost of a move that leaves the flag to be taken.

        Moves that block a line or close a gap gain nothing by themselves; this has them chosen.
        """
        after = [self.rules.apply(sample, self.seat, move)[0] for sample in self.samples]
        return FLAG_LOSS_COST * sum(self._can_lose_flag(position) for position in after)

    def _can_lose_flag(self, position: Imagined) -> bool:
        if position.outcome:
            return False
        replies = tuple(self.rules.legal_moves(position, position.turn))
        self.nodes += len(replies)
        cells = position.cells
        return any(
            self.gain(cells[reply.source], cells[reply.target]) < -WIN / 2
            for reply in replies
            if isinstance(reply, Attack | Charge)
        )
