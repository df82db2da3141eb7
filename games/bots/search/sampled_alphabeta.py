"""Sampled alpha-beta: a search in positions sampled from the belief (determinization).

For games of single steps. It searches the moves near enemies, with a null move for all others. A
side attacks an unknown piece only where that pays by all that the piece may be.
"""

from collections.abc import Mapping
from random import Random

from games.bots.boards.single_step_board import SingleStepBoard
from games.bots.evaluation.blind_attacks import MIN_GAIN, BlindAttacks
from games.bots.evaluation.flag_confinement import FlagConfinement
from games.bots.evaluation.move_values import MoveValue, move_cells
from games.bots.evaluation.piece_square_tables import PieceSquareTables
from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.bots.search.sampled_positions import sample_position
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import NORTHERN

INFINITY = 1e9
SAMPLES = 8  # positions that are searched; one if nothing is unknown
MAX_ROOT_MOVES = 14  # that are searched, the best by their one-ply values
DEPTH = 4  # plies
ENDGAME_PIECES = 12  # of both sides, from which on all moves are searched,
ENDGAME_DEPTH = 12  # and so many plies
WIN_DELAY_COST = 0.5  # of each ply until a win
# Where every enemy piece is known, a forced win is certain: nothing that it costs matters, and an
# earlier one is better.
CERTAIN_WIN = 10_000.0
CERTAIN_WIN_DELAY_COST = 60.0
ROOT_MARGIN = 40.0  # below the best, from which on a root move's value need not be exact

Cells = tuple[int, int]  # the source of a move, and its target
# A move to search: its gain for its own side, source, target, gain for the seat, and whether it
# ends the match.
Candidate = tuple[float, int, int, float, bool]
EXACT, AT_LEAST, AT_MOST = 0, 1, -1  # what an entry of the transposition table says of a value


class SampledAlphaBeta:
    """The search of one situation; `nodes` counts positions, in all samples.

    Values are those of the side to move, scores those of the seat.
    """

    def __init__(
        self, situation: Situation, squares: PieceSquareTables, rng: Random, positions: int
    ) -> None:
        self.situation = situation
        self.rng = rng
        self.positions = positions
        self.seat = int(situation.seat)
        self.board = SingleStepBoard(situation.units.battles)
        self.unrevealed = {
            unit.content for unit in situation.own if unit.content and not unit.revealed
        }
        self.tables = squares.with_piece_values()
        self.nodes = 0
        self.blind_attacks = BlindAttacks(situation, self.unrevealed)
        is_certain = all(len(contents) == 1 for contents in situation.contents.values())
        self.win = CERTAIN_WIN if is_certain else WIN
        self.win_delay_cost = CERTAIN_WIN_DELAY_COST if is_certain else WIN_DELAY_COST

    def continuation_values(
        self, moves: Mapping[str, Move], values: Mapping[str, MoveValue]
    ) -> dict[str, float]:
        """By text of the best moves, the mean value of what follows on them.

        What a move gains at once is left out: the belief says that better than samples.
        """
        best = sorted(moves, key=lambda text: -values[text].total)[:MAX_ROOT_MOVES]
        cells_by_text = {}
        for text in best:
            source, stop, target = move_cells(moves[text])
            cells_by_text[text] = (source, stop if target is None else target)
        at_once = {cells_by_text[text]: values[text].at_once for text in best}
        sums = dict.fromkeys(best, 0.0)
        counts: dict[bytes, int] = {}
        for _ in range(SAMPLES if self.situation.belief.unknown else 1):
            sample = sample_position(self.situation, self.rng).cells
            counts[sample] = counts.get(sample, 0) + 1
        total = sum(counts.values())
        for sample, count in counts.items():
            self.load(sample)
            continuations = self._search_root(at_once, self.positions // len(counts))
            for text in best:
                sums[text] += count / total * continuations[cells_by_text[text]]
        return sums

    def load(self, cells: bytes) -> None:
        """Set up a sampled position."""
        board, situation = self.board, self.situation
        board.load(cells)
        # By content: domino has no two equal tiles, and of equal pieces one stands for all, even
        # for known ones; telling them apart by cell played no better.
        self.unknown_cells = {
            cells[unit.cell]: unit.cell for unit in situation.enemies if unit.content is None
        }
        self.score = sum(self.tables[cells[cell]][cell] for cell in situation.rules.board.cells)
        self.draw_score = self.score + situation.values.draw
        pieces = sum(side.bit_count() for side in board.pieces)
        self.is_endgame = pieces <= ENDGAME_PIECES
        self.confinement = FlagConfinement(
            board, situation.seat, situation.flag_kinds, is_dead=situation.is_dead
        )
        # By key and side to move: depth, kind of bound, value, best move.
        self.transpositions: dict[tuple[int, int], tuple[int, int, float, Cells | None]] = {}

    def _search_root(self, at_once: Mapping[Cells, float], positions: int) -> dict[Cells, float]:
        """What follows on each move, by iterative deepening as far as the budget lasts."""
        board, side, score = self.board, self.seat, self.score
        values = dict.fromkeys(at_once, 0.0)
        order = list(at_once)
        self.left = positions
        for depth in range(ENDGAME_DEPTH if self.is_endgame else DEPTH):
            new_values = dict.fromkeys(at_once, 0.0)
            alpha = -INFINITY
            for cells in order:
                source, target = cells
                gain, over = self._gain(side, score, source, target)
                if over:
                    # `at_once` has as much of a win as the belief counts; only the rest is added.
                    new_values[cells] = gain - max(-WIN, min(WIN, gain))
                    continue
                after = score + gain
                undo = board.make(source, target)
                value = -self._search(1 - side, depth, -INFINITY, -alpha, after, 1)
                board.unmake(source, target, undo)
                new_values[cells] = value - after
                alpha = max(alpha, value - ROOT_MARGIN)
            if self.left <= 0 and depth > 1:
                break
            values = new_values
            order.sort(key=lambda cells: -values[cells] - at_once[cells])
        return values

    # --- the search

    def _search(
        self, side: int, depth: int, alpha: float, beta: float, score: float, ply: int
    ) -> float:
        """The value of the position, searched so many more plies."""
        if depth <= 0 or self.left <= 0:
            return self._quiescence(side, alpha, beta, score, ply)
        self.nodes += 1
        self.left -= 1
        key = (self.board.key, side)
        first = None
        if entry := self.transpositions.get(key):
            searched, bound, value, first = entry
            if searched >= depth and (
                bound == EXACT
                or (bound == AT_LEAST and value >= beta)
                or (bound == AT_MOST and value <= alpha)
            ):
                return value
        original_alpha, best, best_move = alpha, -INFINITY, None
        if not self.is_endgame:
            # A null move stands for the moves elsewhere, of which there is always one.
            rest = depth - 1 if depth < 3 else depth - 2
            best = -self._search(1 - side, rest, -beta, -alpha, score, ply + 1)
            alpha = max(alpha, best)
        if alpha < beta:
            candidates = self._candidates(side, score)
            if first is not None:
                candidates.sort(key=lambda candidate: candidate[1:3] != first)
            for candidate in candidates:
                value = self._value(candidate, side, depth, alpha, beta, score, ply)
                if value > best:
                    best, best_move = value, candidate[1:3]
                    alpha = max(alpha, value)
                    if alpha >= beta:
                        break
        if self.left > 0:
            bound = AT_LEAST if best >= beta else AT_MOST if best <= original_alpha else EXACT
            self.transpositions[key] = (depth, bound, best, best_move)
        return best

    def _value(
        self,
        move: Candidate,
        side: int,
        depth: int,
        alpha: float,
        beta: float,
        score: float,
        ply: int,
    ) -> float:
        """The value of a move; at depth 0 only captures follow."""
        _, source, target, gain, over = move
        after = score + gain
        if over:
            value = after if side == self.seat else -after
            delay_cost = self.win_delay_cost * ply
            return value - delay_cost if value > 0 else value + delay_cost
        undo = self.board.make(source, target)
        if depth > 0:
            value = -self._search(1 - side, depth - 1, -beta, -alpha, after, ply + 1)
        else:
            value = -self._quiescence(1 - side, -beta, -alpha, after, ply + 1)
        self.board.unmake(source, target, undo)
        return value

    def _quiescence(self, side: int, alpha: float, beta: float, score: float, ply: int) -> float:
        """The value of the position once no side gains by captures any more."""
        self.nodes += 1
        self.left -= 1
        confinement = self.confinement
        static = score + confinement.value(side) if confinement.pursuits else score
        best = static if side == self.seat else -static
        if best >= beta or self.left <= 0:
            return best
        alpha = max(alpha, best)
        for candidate in self._candidates(side, score, captures=True):
            value = self._value(candidate, side, 0, alpha, beta, score, ply)
            if value > best:
                best = value
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return best

    # --- move generation

    def _candidates(self, side: int, score: float, *, captures: bool = False) -> list[Candidate]:
        """The moves of a side to search, the most gainful first.

        These are moves near enemies, all moves in an endgame, or `captures` that gain.
        """
        board = self.board
        cells, adjacent, mobile = board.cells, board.adjacent, board.mobile
        sources = board.pieces[side]
        if captures:
            sources &= board.expand(board.pieces[1 - side])
        elif not self.is_endgame:
            sources &= board.expand(board.expand(board.pieces[1 - side]))
        candidates = []
        tables = self.tables
        is_own = side == self.seat
        while sources:
            bit = sources & -sources
            sources ^= bit
            source = bit.bit_length() - 1
            mover = cells[source]
            if mover not in mobile:
                continue
            table = tables[mover]
            for target in adjacent[source]:
                defender = cells[target]
                if not defender:
                    if not captures:
                        gain = table[target] - table[source]
                        candidates.append((gain if is_own else -gain, source, target, gain, False))
                elif (defender ^ mover) & NORTHERN and self.would_attack(mover, defender):
                    gain, over = self._gain(side, score, source, target)
                    own_gain = gain if is_own else -gain
                    if not captures or own_gain > MIN_GAIN:
                        candidates.append((own_gain, source, target, gain, over))
        candidates.sort(reverse=True)
        return candidates

    def _gain(self, side: int, score: float, source: int, target: int) -> tuple[float, bool]:
        """What a move adds to the score, and whether it ends the match."""
        tables, cells = self.tables, self.board.cells
        mover, defender = cells[source], cells[target]
        if not defender:
            return tables[mover][target] - tables[mover][source], False
        at_source, at_target, over, winner = self.board.battle(mover, defender)
        if not over:
            gain = tables[at_source][source] + tables[at_target][target]
            return gain - tables[mover][source] - tables[defender][target], False
        if not winner:
            return self.draw_score - score, True
        return self.win if (winner > 0) == (side == self.seat) else -self.win, True

    def would_attack(self, attacker: int, defender: int) -> bool:
        """Whether a side would attack a piece, if it does not know which it is."""
        if attacker >> 7 == self.seat:
            cell = self.unknown_cells.get(defender)
            return cell is None or self.blind_attacks.pays(attacker, cell)
        return defender not in self.unrevealed or self.blind_attacks.pays_enemy(attacker)
