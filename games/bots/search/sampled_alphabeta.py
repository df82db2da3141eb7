"""Skirmish: alpha-beta in worlds drawn from the belief, where pieces go step by step.

All that is near an enemy is searched, and passing for whatever else a side may do. A side strikes
what it does not know only where that would pay by all that it may be.
"""

from collections.abc import Mapping
from random import Random

from games.bots.boards.single_step_board import StepBoard
from games.bots.evaluation.blind_attacks import LEAST_GAIN, BlindStrikes
from games.bots.evaluation.flag_confinement import Hunts
from games.bots.evaluation.move_values import Appraisal, parts_of
from games.bots.evaluation.piece_square_tables import Fields
from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.bots.search.sampled_positions import drawn_world
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import NORTHERN

LOST = 1e9  # below any value
WORLDS = 8  # that are searched, one where nothing is hidden any more
WIDTH = 14  # moves that are searched, the best by their first appraisal
DEPTH = 4  # plies
FEW = 12  # pieces on the board, from which on every move of theirs is searched
DEEPEST = 12  # plies from then on
LATER = 0.5  # what winning or losing a ply later is worth
# Where every enemy piece is known, a win that can be forced is no hope any more: nothing that it
# costs matters, and none is put off.
CERTAIN_WIN = 10_000.0
CERTAIN_LATER = 60.0
MARGIN = 40.0  # below the best, from which on it does not matter how bad a move is

Ends = tuple[int, int]  # where a move begins, and where it stops or strikes
# A move that is tried: what it promises its side, its cells, what it gains the own side, and
# whether it is the last of the match.
Try = tuple[float, int, int, float, bool]


class Skirmish:
    """Searches the moves of one situation, at so many positions."""

    def __init__(self, situation: Situation, fields: Fields, rng: Random, positions: int) -> None:
        self.situation = situation
        self.rng = rng
        self.positions = positions
        self.seat = int(situation.seat)
        self.board = StepBoard(situation.units.battles)
        self.untold = {unit.content for unit in situation.own if unit.content and not unit.told}
        self.tables = fields.worths()
        self.looked = 0  # at positions, in all worlds
        self.blind = BlindStrikes(situation, self.untold)
        certain = all(len(contents) == 1 for contents in situation.contents.values())
        self.win, self.later = (CERTAIN_WIN, CERTAIN_LATER) if certain else (WIN, LATER)

    def follows(
        self, moves: Mapping[str, Move], appraisals: Mapping[str, Appraisal]
    ) -> dict[str, float]:
        """What follows on the most promising moves, on average over the worlds.

        What a move brings at once is left out: the belief itself tells that better than worlds.
        """
        best = sorted(moves, key=lambda text: -appraisals[text].total)[:WIDTH]
        ends = {}
        for text in best:
            source, stop, target = parts_of(moves[text])
            ends[text] = (source, stop if target is None else target)
        at_once = {ends[text]: appraisals[text].at_once for text in best}
        sums = dict.fromkeys(best, 0.0)
        worlds: dict[bytes, int] = {}
        for _ in range(WORLDS if self.situation.belief.unknown else 1):
            cells = drawn_world(self.situation, self.rng).cells
            worlds[cells] = worlds.get(cells, 0) + 1
        whole = sum(worlds.values())
        for cells, times in worlds.items():
            self.enter(cells)
            found = self._searched(at_once, self.positions // len(worlds))
            for text in best:
                sums[text] += times / whole * found[ends[text]]
        return sums

    def enter(self, cells: bytes) -> None:
        """Begin with a world."""
        board, situation = self.board, self.situation
        board.load(cells)
        # By content: no two tiles are the same, and of pieces that are one stands for all, even
        # for those that are known: telling them apart by their cells did not play better.
        self.hidden = {
            cells[unit.cell]: unit.cell for unit in situation.enemies if unit.content is None
        }
        self.score = sum(self.tables[cells[cell]][cell] for cell in situation.rules.board.cells)
        self.drawn = self.score + situation.values.draw
        self.few = board.count(0) + board.count(1) <= FEW
        self.hunts = Hunts(board, situation.seat, situation.crowns, dead=situation.dead)
        self.known: dict[tuple[int, int], tuple[int, int, float, Ends | None]] = {}

    def _searched(self, at_once: Mapping[Ends, float], positions: int) -> dict[Ends, float]:
        """What follows on each move in the world, as deep as the positions last."""
        board, side, score = self.board, self.seat, self.score
        found = dict.fromkeys(at_once, 0.0)
        order = list(at_once)
        self.left = positions
        for depth in range(DEEPEST if self.few else DEPTH):
            now = dict.fromkeys(at_once, 0.0)
            low = -LOST
            for ends in order:
                source, target = ends
                gain, over = self._gain(side, score, source, target)
                if over:
                    # Nothing follows, and `at_once` has as much of a win as the belief counts.
                    now[ends] = gain - max(-WIN, min(WIN, gain))
                    continue
                after = score + gain
                undo = board.play(source, target)
                value = -self.search(1 - side, depth, -LOST, -low, after, 1)
                board.undo(source, target, undo)
                now[ends] = value - after
                low = max(low, value - MARGIN)
            if self.left <= 0 and depth > 1:
                break
            found = now
            order.sort(key=lambda ends: -found[ends] - at_once[ends])
        return found

    # --- the search; values are those of the side to move, scores those of the own seat

    def search(
        self, side: int, depth: int, low: float, high: float, score: float, ply: int
    ) -> float:
        """The value of the position after so many more plies."""
        if depth <= 0 or self.left <= 0:
            return self._settled(side, low, high, score, ply)
        self.looked += 1
        self.left -= 1
        key = (self.board.key, side)
        first = None
        if known := self.known.get(key):
            searched, bound, value, first = known
            if searched >= depth and (
                not bound or (bound > 0 and value >= high) or (bound < 0 and value <= low)
            ):
                return value
        began, best, choice = low, -LOST, None
        if not self.few:
            # What a move elsewhere comes to, where there is always one.
            rest = depth - 1 if depth < 3 else depth - 2
            best = -self.search(1 - side, rest, -high, -low, score, ply + 1)
            low = max(low, best)
        if low < high:
            moves = self._tries(side, score)
            if first is not None:
                moves.sort(key=lambda one: one[1:3] != first)
            for one in moves:
                value = self._value(one, side, depth, low, high, score, ply)
                if value > best:
                    best, choice = value, one[1:3]
                    low = max(low, value)
                    if low >= high:
                        break
        if self.left > 0:
            bound = 1 if best >= high else -1 if best <= began else 0
            self.known[key] = (depth, bound, best, choice)
        return best

    def _value(
        self, one: Try, side: int, depth: int, low: float, high: float, score: float, ply: int
    ) -> float:
        """The value of a move; at depth 0 only captures follow on it."""
        _, source, target, gain, over = one
        after = score + gain
        if over:
            value = after if side == self.seat else -after
            return value - self.later * ply if value > 0 else value + self.later * ply
        undo = self.board.play(source, target)
        if depth > 0:
            value = -self.search(1 - side, depth - 1, -high, -low, after, ply + 1)
        else:
            value = -self._settled(1 - side, -high, -low, after, ply + 1)
        self.board.undo(source, target, undo)
        return value

    def _settled(self, side: int, low: float, high: float, score: float, ply: int) -> float:
        """The value of the position once nobody gains by captures any more."""
        self.looked += 1
        self.left -= 1
        stands = score + self.hunts.value(side) if self.hunts.of else score
        best = stands if side == self.seat else -stands
        if best >= high or self.left <= 0:
            return best
        low = max(low, best)
        for one in self._tries(side, score, captures=True):
            value = self._value(one, side, 0, low, high, score, ply)
            if value > best:
                best = value
                low = max(low, value)
                if low >= high:
                    break
        return best

    # --- the moves that are tried

    def _tries(self, side: int, score: float, *, captures: bool = False) -> list[Try]:
        """The moves of a side near its enemies, or all of few pieces; or captures that gain."""
        board = self.board
        cells, neighbours, mobile = board.cells, board.neighbours, board.mobile
        sources = board.bits[side]
        if captures:
            sources &= board.spread(board.bits[1 - side])
        elif not self.few:
            sources &= board.spread(board.spread(board.bits[1 - side]))
        found = []
        tables = self.tables
        own = side == self.seat
        while sources:
            bit = sources & -sources
            sources ^= bit
            source = bit.bit_length() - 1
            mover = cells[source]
            if mover not in mobile:
                continue
            row = tables[mover]
            for target in neighbours[source]:
                struck = cells[target]
                if not struck:
                    if not captures:
                        gain = row[target] - row[source]
                        found.append((gain if own else -gain, source, target, gain, False))
                elif (struck ^ mover) & NORTHERN and self.would_strike(mover, struck):
                    gain, over = self._gain(side, score, source, target)
                    promise = gain if own else -gain
                    if not captures or promise > LEAST_GAIN:
                        found.append((promise, source, target, gain, over))
        found.sort(reverse=True)
        return found

    def _gain(self, side: int, score: float, source: int, target: int) -> tuple[float, bool]:
        """What a move gains the own side, and whether it is the last of the match."""
        tables, cells = self.tables, self.board.cells
        mover, struck = cells[source], cells[target]
        if not struck:
            return tables[mover][target] - tables[mover][source], False
        behind, ahead, over, winner = self.board.fight(mover, struck)
        if not over:
            gain = tables[behind][source] + tables[ahead][target]
            return gain - tables[mover][source] - tables[struck][target], False
        if not winner:
            return self.drawn - score, True
        return self.win if (winner > 0) == (side == self.seat) else -self.win, True

    def would_strike(self, attacker: int, struck: int) -> bool:
        """Whether a side would strike, if it does not know what."""
        if attacker >> 7 == self.seat:
            cell = self.hidden.get(struck)
            return cell is None or self.blind.pay(attacker, cell)
        return struck not in self.untold or self.blind.tempt(attacker)
