"""Forced win search for games with volleys: threats to the flag that no reply can stop.

Where pieces attack from afar, most matches end by one: a piece comes within reach of the flag and
nothing can block its way. Threats of both sides are searched in sampled positions.
"""

from collections.abc import Callable, Mapping
from random import Random

from games.bots.boards.volley_board import NOTHING, Action, VolleyBoard
from games.bots.evaluation.move_values import move_cells
from games.bots.evaluation.situation import Situation
from games.bots.search.sampled_positions import sample_position
from games.rules.core.basics.moves import Move

SAMPLES = 8
DANGER_COST = 200.0  # if the enemy can take the flag at once, in all samples
FORCED_LOSS = 0.8  # the part of it that counts if the enemy can force it a turn later
FORCED_WIN_GAIN = 56.0  # of an own forced win in all samples; less, as it assumes where the flag is


class ForcedWinSearch:
    """Searches for forced wins after each move of one situation.

    The search makes no more than about `max_moves` moves; `nodes` counts them.
    """

    def __init__(self, situation: Situation, rng: Random, max_moves: int) -> None:
        self.seat = int(situation.seat)
        self.max_moves = max_moves
        self.board = VolleyBoard(situation.units.battles)
        self.samples = [sample_position(situation, rng).cells for _ in range(SAMPLES)]
        self.flags = [[self._flag(cells, side) for side in range(2)] for cells in self.samples]

    @property
    def nodes(self) -> int:
        return self.board.made

    def _flag(self, cells: bytes, side: int) -> int | None:
        """The cell of a side's flag."""
        tables = self.board.tables
        return next(
            (
                cell
                for cell in tables.cells
                if tables.is_flag[cells[cell]] and cells[cell] >> 7 == side
            ),
            None,
        )

    def best(self, moves: Mapping[str, Move], values: Mapping[str, float]) -> str:
        """The text of the best move, by their values before this search and forced wins."""
        seat, enemy = self.seat, 1 - self.seat
        actions = {text: action_of(move) for text, move in moves.items()}
        hopes = {
            text: values[text] + FORCED_WIN_GAIN * self.share(actions[text], enemy, self.is_forced)
            for text in moves
        }
        best, best_value = "", 0.0
        for text in sorted(hopes, key=lambda text: (-hopes[text], text)):
            # Danger only lowers a value, so the moves after this one can't become the best.
            if best and (hopes[text] <= best_value or self.nodes >= self.max_moves):
                break
            value = hopes[text] - DANGER_COST * self.share(actions[text], seat, self.danger)
            if not best or value > best_value:
                best, best_value = text, value
        return best

    def share(self, action: Action, side: int, loss: Callable[[int, int], float]) -> float:
        """The mean over the samples of how surely a side's flag is lost after a move.

        `loss` gets the flag's cell and the other side.
        """
        board = self.board
        total = 0.0
        for cells, flags in zip(self.samples, self.flags, strict=True):
            flag = flags[side]
            if flag is None:
                continue
            board.load(cells)
            board.make(self.seat, action)
            if not board.over:
                total += loss(flag, 1 - side)
        return total / len(self.samples)

    def is_forced(self, flag: int, side: int) -> bool:
        """Whether a side that has just moved can attack a cell after every defence.

        A win by attacking first is no defence: it needs to know where the other flag is.
        """
        board = self.board
        paths = board.attack_paths(side, flag)
        if not paths:
            return False
        # A defence against all attacks is one against the attack that fewest cells prevent.
        for action in board.actions_onto(1 - side, min(paths, key=len)):
            undo = board.make(1 - side, action)
            can_attack = board.can_attack(side, flag)
            board.unmake(undo)
            if not can_attack:
                return False
        return True

    def danger(self, flag: int, side: int) -> float:
        """How surely a side to move takes a flag: 1 at once, less if it can force it."""
        if self.board.can_attack(side, flag):
            return 1.0
        return FORCED_LOSS if self._can_force(flag, side) else 0.0

    def _can_force(self, flag: int, side: int) -> bool:
        """Whether a side to move has a move after which taking the flag is forced."""
        board = self.board
        for action in board.actions(side):
            undo = board.make(side, action)
            is_forced = not board.over and self.is_forced(flag, side)
            board.unmake(undo)
            if is_forced:
                return True
        return False


def action_of(move: Move) -> Action:
    """A move as the search board has it."""
    source, stop, target = move_cells(move)
    return source, stop, NOTHING if target is None else target
