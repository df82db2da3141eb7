"""Sieges: threats to the piece that decides the match which nothing can parry any more.

Where pieces strike from afar most matches end by one: a piece comes within reach of the flag, and
there is nothing to put into its way. Both sides' are looked for in worlds drawn from the belief.
"""

from collections.abc import Callable, Mapping
from random import Random

from games.bots.boards.volley_board import NOTHING, Action, RangedBoard
from games.bots.evaluation.move_values import parts_of
from games.bots.evaluation.situation import Situation
from games.bots.search.sampled_positions import drawn_world
from games.rules.core.basics.moves import Move

WORLDS = 8  # in which they are looked for
DANGER = 200.0  # what it costs that the enemy can strike there at once, in all worlds
LATER = 0.8  # of that, if it can begin a siege
CHANCE = 56.0  # what an own one is worth: less, for it hopes for a piece that nobody has seen


class Sieges:
    """Looks for them behind the moves of one situation, making about so many moves."""

    def __init__(self, situation: Situation, rng: Random, most: int) -> None:
        self.seat = int(situation.seat)
        self.most = most
        self.board = RangedBoard(situation.units.battles)
        self.worlds = [drawn_world(situation, rng).cells for _ in range(WORLDS)]
        self.crowns = [[self._crown(cells, side) for side in range(2)] for cells in self.worlds]

    @property
    def looked(self) -> int:
        """At how many moves."""
        return self.board.made

    def _crown(self, cells: bytes, side: int) -> int | None:
        """Where the piece of a side stands that decides the match."""
        reach = self.board.reach
        return next(
            (cell for cell in reach.cells if reach.crown[cells[cell]] and cells[cell] >> 7 == side),
            None,
        )

    def best(self, moves: Mapping[str, Move], promise: Mapping[str, float]) -> str:
        """The move that promises most once both sides' sieges are counted."""
        seat, foe = self.seat, 1 - self.seat
        actions = {text: action_of(move) for text, move in moves.items()}
        hopes = {
            text: promise[text] + CHANCE * self._share(actions[text], foe, self.falls)
            for text in moves
        }
        best, most = "", 0.0
        for text in sorted(hopes, key=lambda text: (-hopes[text], text)):
            # What promises less than the best cannot become better by what it costs.
            if best and (hopes[text] <= most or self.looked >= self.most):
                break
            value = hopes[text] - DANGER * self._share(actions[text], seat, self.danger)
            if not best or value > most:
                best, most = text, value
        return best

    def _share(self, action: Action, side: int, lost: Callable[[int, int], float]) -> float:
        """The share of worlds in which the piece of a side that decides is lost after a move."""
        board = self.board
        found = 0.0
        for cells, crowns in zip(self.worlds, self.crowns, strict=True):
            cell = crowns[side]
            if cell is None:
                continue
            board.load(cells)
            board.play(self.seat, action)
            if not board.over:
                found += lost(cell, 1 - side)
        return found / len(self.worlds)

    def falls(self, cell: int, side: int) -> bool:
        """Whether a side, which has just moved, strikes a cell whatever the other does to keep it.

        Striking first itself is none of that: who does so has to know where.
        """
        board = self.board
        ways = board.ways_to(side, cell)
        if not ways:
            return False
        # What parries all of them parries the one that is shut on the fewest cells.
        for action in board.moves_to(1 - side, min(ways, key=len)):
            undo = board.play(1 - side, action)
            still = board.can_strike(side, cell)
            board.undo(undo)
            if not still:
                return False
        return True

    def danger(self, cell: int, side: int) -> float:
        """How soon a side to move takes a cell: 1 at once, 0 if it does not."""
        if self.board.can_strike(side, cell):
            return 1.0
        return LATER if self._begins(cell, side) else 0.0

    def _begins(self, cell: int, side: int) -> bool:
        """Whether a side to move begins a threat to a cell that nothing parries."""
        board = self.board
        for action in board.actions(side):
            undo = board.play(side, action)
            falls = not board.over and self.falls(cell, side)
            board.undo(undo)
            if falls:
                return True
        return False


def action_of(move: Move) -> Action:
    """A move as the board has it that is searched."""
    source, stop, target = parts_of(move)
    return source, stop, NOTHING if target is None else target
