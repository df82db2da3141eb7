"""Sieges: threats to the piece that decides the match which nothing can parry any more.

Where pieces strike from afar most matches end by one: a piece comes within reach of the flag, and
there is nothing to put into its way. Both sides' are looked for in worlds drawn from the belief.
"""

from collections.abc import Iterator, Mapping
from random import Random

from games.bots.brains.situation import Situation
from games.bots.brains.worlds import drawn_world
from games.rules.core.imagine import Imagined
from games.rules.core.moves import Attack, Charge, Move
from games.rules.core.pieces import KIND, Seat, owner

WORLDS = 8
DANGER = 200.0  # what it costs that the enemy can begin one, in all worlds
CHANCE = 80.0  # what an own one is worth: less, for it hopes for a piece that nobody has seen


class Sieges:
    """Looks for them behind the moves of one situation, at so many legal moves at most."""

    def __init__(self, situation: Situation, rng: Random, most_looked: int) -> None:
        self.rules = situation.rules
        self.seat = situation.seat
        self.crowns = situation.crowns
        self.most_looked = most_looked
        self.left = 0  # legal moves that may still be looked at
        self.looked = 0  # at legal moves, in all
        self.worlds = [drawn_world(situation, rng) for _ in range(WORLDS)]

    def best(self, moves: Mapping[str, Move], promise: Mapping[str, float]) -> str:
        """The move that promises most once both sides' sieges are counted."""
        self.left = self.most_looked // 2
        hopes = {
            text: promise[text] + CHANCE * self._share(move, self.seat.other)
            for text, move in moves.items()
        }
        best, most = "", 0.0
        self.left = self.most_looked // 2
        for text in sorted(hopes, key=lambda text: (-hopes[text], text)):
            # What promises less than the best cannot become better by what it costs.
            if best and (hopes[text] <= most or self.left <= 0):
                break
            value = hopes[text] - DANGER * self._share(moves[text], self.seat)
            if not best or value > most:
                best, most = text, value
        return best

    def _share(self, move: Move, side: Seat) -> float:
        """The share of worlds in which a side's piece cannot be kept after a move."""
        lost = 0
        for world in self.worlds:
            if self.left <= 0:
                break
            after, _ = self.rules.apply(world, self.seat, move)
            if after.outcome is None:
                lost += any(
                    self._falls(after, cell) if side is after.turn else self._besieged(after, cell)
                    for cell in self._kept(after, side)
                )
        return lost / len(self.worlds)

    def _kept(self, position: Imagined, side: Seat) -> list[int]:
        """The cells of the pieces that decide the match for a side."""
        return [
            cell
            for cell in self.rules.board.cells
            if (content := position.cells[cell])
            and content & KIND in self.crowns
            and owner(content) is side
        ]

    def _besieged(self, position: Imagined, cell: int) -> bool:
        """Whether the side to move can take a piece of the other at once, or begin a siege."""
        return self._taken(position, cell) or any(
            self.left > 0 and self._falls(after, cell) for after in self._after(position)
        )

    def _falls(self, position: Imagined, cell: int) -> bool:
        """Whether the side to move cannot keep the other from taking its piece on a cell."""
        passed = position._replace(turn=position.turn.other, listed=None)
        if position.outcome is not None or not self._taken(passed, cell):
            return False
        return all(
            self.left > 0 and after.outcome is None and self._taken(after, cell)
            for after in self._after(position)
        )

    def _after(self, position: Imagined) -> Iterator[Imagined]:
        """The positions after each move of the side to move."""
        for move in self.rules.legal_moves(position, position.turn):
            yield self.rules.apply(position, position.turn, move)[0]

    def _taken(self, position: Imagined, cell: int) -> bool:
        """Whether the side to move can attack a cell."""
        listed = tuple(self.rules.legal_moves(position, position.turn))
        self.left -= len(listed)
        self.looked += len(listed)
        return any(isinstance(move, Attack | Charge) and move.target == cell for move in listed)
