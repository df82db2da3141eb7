"""Worlds: positions drawn from the belief, and what a move leaves open in them."""

from random import Random

from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.moves import Attack, Charge, Move
from games.rules.core.imagined_positions import Imagined, imagine

FEAR = 20.0  # what leaving the piece that decides the match to be taken costs, in each world


def drawn_world(situation: Situation, rng: Random) -> Imagined:
    """A position that the situation's belief allows."""
    rules = situation.rules
    ranks = {
        rules.board.names[cell]: rules.rank_of(content)
        for cell, content in situation.belief.world(rng).items()
    }
    return imagine(rules, situation.observation, ranks)


class Fears:
    """Whether moves of one situation leave what decides the match to be taken, in some worlds."""

    def __init__(self, situation: Situation, rng: Random, worlds: int) -> None:
        self.rules = situation.rules
        self.seat = situation.seat
        self.swing = situation.values.swing
        self.worlds = [drawn_world(situation, rng) for _ in range(worlds)]
        self.looked = 0  # at legal moves

    def of(self, move: Move) -> float:
        """What a move costs that leaves it so.

        One that shuts a line or fills a gap promises nothing by itself; this has it chosen.
        """
        after = [self.rules.apply(world, self.seat, move)[0] for world in self.worlds]
        return FEAR * sum(self._left_open(position) for position in after)

    def _left_open(self, position: Imagined) -> bool:
        if position.outcome:
            return False
        listed = tuple(self.rules.legal_moves(position, position.turn))
        self.looked += len(listed)
        cells = position.cells
        return any(
            self.swing(cells[move.source], cells[move.target]) < -WIN / 2
            for move in listed
            if isinstance(move, Attack | Charge)
        )
