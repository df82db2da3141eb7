"""Search over worlds: what each move brings in positions that the belief allows, on average."""

from collections.abc import Mapping
from random import Random

from games.bots.brains.oneply import Appraisal, parts_of
from games.bots.brains.situation import Situation
from games.bots.brains.values import WIN
from games.bots.levels import Level
from games.rules.core.imagine import Imagined, imagine
from games.rules.core.moves import Attack, Charge, Move, Walk

DARING = 0.45  # how far an enemy is believed to strike right at a piece that it does not know
LOST = 1e9  # below any value
ENDED = 100.0  # what the end of a match is worth beside the piece that decided it
BUDGET = 1_200  # legal moves that are looked at for one move in one world
MAX_CAPTURES = 3  # of one position that are tried, and as many threats that are answered
MAX_FLIGHTS = 2  # squares that a threatened piece tries
SOON = 0.8  # of a capture that is left to make when the search ends
WIDTH = 14  # moves that are searched, the best by their first appraisal


class Worlds:
    """Searches the moves of one situation in worlds drawn from its belief."""

    def __init__(self, situation: Situation, rng: Random, level: Level) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.seat = situation.seat
        self.level = level
        self.swing = situation.values.swing
        self.untold = {unit.cell for unit in situation.own if not unit.told}
        self.tables = self._tables()
        self.left = 0
        self.blind: dict[int, bool] = {}
        self.worlds = [self._world(rng) for _ in range(level.worlds)]

    def _world(self, rng: Random) -> Imagined:
        names, rank_of = self.rules.board.names, self.rules.rank_of
        drawn = self.situation.belief.world(rng)
        ranks = {names[cell]: rank_of(content) for cell, content in drawn.items()}
        return imagine(self.rules, self.situation.observation, ranks)

    def _tables(self) -> list[list[float]]:
        """For each cell the worth of every content there: the piece, and how well it stands."""
        values = self.situation.values.table
        tables = [list(values) for _ in range(self.rules.board.size)]
        for content in sorted({unit.content for unit in self.situation.own if unit.content}):
            field = self.situation.field(content)
            for cell in self.rules.board.cells:
                tables[cell][content] += field[cell]
        return tables

    def follows(
        self, moves: Mapping[str, Move], appraisals: Mapping[str, Appraisal]
    ) -> dict[str, float]:
        """What follows on the most promising moves, on average over the worlds.

        What a move brings at once is left out: that is known by the chances of the belief itself,
        and a few drawn worlds would tell it less exactly.
        """
        best = sorted(moves, key=lambda text: -appraisals[text].total)[:WIDTH]
        sums = dict.fromkeys(best, 0.0)
        for world in self.worlds:
            for text in best:
                sums[text] += self._root(world, moves[text])
        return {text: whole / len(self.worlds) for text, whole in sums.items()}

    # --- the search

    def _value(self, position: Imagined) -> float:
        value = sum(
            [row[content] for row, content in zip(self.tables, position.cells, strict=True)]
        )
        if position.outcome is not None and position.outcome.winner is not None:
            return value + ENDED if position.outcome.winner is self.seat else value - ENDED
        return value

    def _root(self, world: Imagined, move: Move) -> float:
        """What the enemy's best answer takes back, as far as it can know it, and what follows."""
        after, _ = self.rules.apply(world, self.seat, move)
        if after.outcome is not None:
            return 0.0
        source, stop, target = parts_of(move)
        untold = self.untold - {source}
        if target is None and source in self.untold:
            untold = untold | {stop}
        self.left = BUDGET
        depth = self.level.replies
        passed = worst = self._search(self._pass(after), depth - 1, -LOST, LOST)
        for reply in self._tries(after):
            then, _ = self.rules.apply(after, after.turn, reply)
            value = self._search(then, depth - 1, -LOST, LOST)
            struck = parts_of(reply)[2]
            if struck in untold:
                value = passed + DARING * (value - passed)
            worst = min(worst, value)
        return worst - self._value(after)

    def _pass(self, position: Imagined) -> Imagined:
        """The same board with the other side to move: what a move elsewhere comes to."""
        return position._replace(turn=position.turn.other, listed=None)

    def _search(self, position: Imagined, depth: int, low: float, high: float) -> float:
        """The value of a position to this seat, by what hangs: captures, flights, and passing."""
        if position.outcome is not None:
            return self._value(position)
        mine = position.turn is self.seat
        if depth <= 0 or self.left <= 0:
            return self._settled(position, mine)
        best = self._search(self._pass(position), depth - 1, low, high)
        for move in self._tries(position):
            if mine:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
            after, _ = self.rules.apply(position, position.turn, move)
            value = self._search(after, depth - 1, low, high)
            best = max(best, value) if mine else min(best, value)
        return best

    def _settled(self, position: Imagined, mine: bool) -> float:
        """The value of a position with the best capture of the side to move made at once."""
        value = self._value(position)
        captures = self._captures(position)
        if not captures:
            return value
        gain = captures[0][0] * SOON
        return value + gain if mine else value - gain

    def _tries(self, position: Imagined) -> list[Move]:
        """The moves that change what hangs: captures that gain, then flights from captures."""
        moves = [move for _, move in self._captures(position)[:MAX_CAPTURES]]
        cells = position.cells
        threats = self._captures(self._pass(position))[:MAX_CAPTURES]
        for _, threat in threats:
            hanging = parts_of(threat)[2]
            flights = [
                move
                for move in self.rules.legal_moves(position, position.turn)
                if isinstance(move, Walk) and move.source == hanging
            ]
            rows = self.tables
            content = cells[hanging] if hanging is not None else 0
            flights.sort(key=lambda move: -rows[move.target][content])
            moves += flights[:MAX_FLIGHTS]
        return moves

    def _captures(self, position: Imagined) -> list[tuple[float, Move]]:
        """The captures of the side to move that gain something at once, the best first."""
        cells, swing = position.cells, self.swing
        mine = position.turn is self.seat
        sign = 1.0 if mine else -1.0
        found: dict[tuple[int, int], tuple[float, Move]] = {}
        listed = tuple(self.rules.legal_moves(position, position.turn))
        self.left -= len(listed)
        for move in listed:
            if isinstance(move, Walk) or not isinstance(move, Attack | Charge):
                continue
            gain = sign * swing(cells[move.source], cells[move.target])
            if gain > 0.5 and not (mine and self._blind(cells[move.source], move.target)):
                found.setdefault((move.source, move.target), (gain, move))
        return sorted(found.values(), key=lambda one: -one[0])

    def _blind(self, content: int, target: int) -> bool:
        """Whether a capture pays in this world alone, and not by what is believed."""
        key = content << 8 | target
        found = self.blind.get(key)
        if found is None:
            found = self.blind[key] = self._unwise(content, target)
        return found

    def _unwise(self, content: int, target: int) -> bool:
        foe = self.situation.units.at.get(target)
        if foe is None or foe.content is not None or foe.seat is self.seat:
            return False
        contents = self.situation.contents[target]
        hope = self.situation.crown_chance(content, contents)
        return self.situation.values.expected(content, contents) - WIN * hope <= 0.5
