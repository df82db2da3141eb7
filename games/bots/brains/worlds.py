"""Search over worlds: what each move brings in positions that the belief allows, on average."""

from collections.abc import Mapping
from random import Random

from games.bots.brains.oneply import Appraisal, parts_of
from games.bots.brains.situation import Situation
from games.bots.brains.values import WIN
from games.bots.levels import Level
from games.rules.core.board import EMPTY
from games.rules.core.imagine import Imagined, imagine
from games.rules.core.moves import Attack, Charge, Move, Walk

DARING = 0.45  # how far an enemy is believed to strike right at a piece that it does not know
LOST = 1e9  # below any value
ENDED = 100.0  # what the end of a match is worth beside the piece that decided it
BUDGET = 1_200  # legal moves that are looked at for one move in one world
A_POSITION = 15  # legal moves whose price is that of making one position and weighing it
MAX_CAPTURES = 3  # of one position that are tried, and as many threats that are answered
MAX_FLIGHTS = 2  # squares that a threatened piece tries
SOON = 0.8  # of a capture that is left to make when the search ends
WIDTH = 14  # moves that are searched, the best by their first appraisal
FEWEST_WORLDS = 4  # that are searched; in these every move is tried for what it leaves open
FEAR = 20.0  # what leaving the piece that decides the match to be taken costs, in each of them
_CAPTURES = (Attack, Charge)


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
        self.looked = 0  # at legal moves, in all worlds; positions count as some
        self.blind: dict[int, bool] = {}
        self.listed: dict[tuple[bytes, int], list[tuple[float, Move]]] = {}
        self.rng = rng
        self.first = [self._world() for _ in range(FEWEST_WORLDS)]

    def _world(self) -> Imagined:
        names, rank_of = self.rules.board.names, self.rules.rank_of
        drawn = self.situation.belief.world(self.rng)
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
        self,
        moves: Mapping[str, Move],
        appraisals: Mapping[str, Appraisal],
        fears: Mapping[str, float],
    ) -> dict[str, float]:
        """What follows on the most promising moves, on average over the worlds.

        What a move brings at once is left out: that is known by the chances of the belief itself,
        and a few drawn worlds would tell it less exactly.
        """
        best = sorted(moves, key=lambda text: fears[text] - appraisals[text].total)[:WIDTH]
        sums = dict.fromkeys(best, 0.0)
        searched = 0
        while searched < FEWEST_WORLDS or (
            searched < self.level.worlds and self.looked < self.level.looked
        ):
            world = self.first[searched] if searched < FEWEST_WORLDS else self._world()
            for text in best:
                sums[text] += self._root(world, moves[text])
            searched += 1
        return {text: whole / searched for text, whole in sums.items()}

    def fears(self, moves: Mapping[str, Move]) -> dict[str, float]:
        """How far each move leaves the piece that decides the match to be taken.

        A move that shuts a line or fills a gap promises nothing by itself; this has it chosen.
        """
        fears = dict.fromkeys(moves, 0.0)
        for world in self.first:
            for text, move in moves.items():
                after, _ = self.rules.apply(world, self.seat, move)
                captures = () if after.outcome else self._captures(after)
                if captures and captures[0][0] > WIN / 2:
                    fears[text] += FEAR
        return fears

    # --- the search

    def _value(self, position: Imagined) -> float:
        value = sum(
            [row[content] for row, content in zip(self.tables, position.cells, strict=True)]
        )
        if position.outcome is None:
            return value
        if position.outcome.winner is None:
            return value + self.situation.values.draw
        return value + ENDED if position.outcome.winner is self.seat else value - ENDED

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
        shot = self._shot(world, move, after) if self.rules.volleys else 0.0
        passed = worst = self._search(self._pass(after), depth - 1, -LOST, LOST)
        for reply in self._tries(after):
            then, _ = self.rules.apply(after, after.turn, reply)
            value = self._search(then, depth - 1, -LOST, LOST)
            struck = parts_of(reply)[2]
            if struck in untold:
                value = passed + DARING * (value - passed)
            worst = min(worst, value)
        return worst - self._value(after) + shot

    def _shot(self, world: Imagined, move: Move, after: Imagined) -> float:
        """What the volley at the end of a move changes."""
        source, stop, target = parts_of(move)
        cells = bytearray(world.cells)
        moved, cells[source] = cells[source], EMPTY
        if target is None:
            cells[stop] = moved
        else:
            clash = self.situation.values.battles.clash(moved, cells[target])
            cells[stop], cells[target] = clash.behind, clash.ahead
        return self._value(after) - self._value(world._replace(cells=bytes(cells)))

    def _pass(self, position: Imagined) -> Imagined:
        """The same board with the other side to move: what a move elsewhere comes to."""
        turned = position._replace(turn=position.turn.other, listed=None)
        return self.rules.opening(turned)[0] if self.rules.volleys else turned

    def _search(self, position: Imagined, depth: int, low: float, high: float) -> float:
        """The value of a position to this seat, by what hangs: captures, flights, and passing."""
        self.looked += A_POSITION
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
        key = (position.cells, position.turn)
        found = self.listed.get(key)
        if found is None:
            found = self.listed[key] = self._gains(position)
        return found

    def _gains(self, position: Imagined) -> list[tuple[float, Move]]:
        cells, swing = position.cells, self.swing
        mine = position.turn is self.seat
        sign = 1.0 if mine else -1.0
        found: list[tuple[float, Move]] = []
        seen: set[tuple[int, int]] = set()
        listed = tuple(self.rules.legal_moves(position, position.turn))
        self.left -= len(listed)
        self.looked += len(listed)
        for move in listed:
            if not isinstance(move, _CAPTURES):
                continue
            source, target = move.source, move.target
            if (source, target) in seen:
                continue  # The same battle from another square.
            seen.add((source, target))
            gain = sign * swing(cells[source], cells[target])
            if gain > 0.5 and not (mine and self._blind(cells[source], target)):
                found.append((gain, move))
        found.sort(key=lambda one: -one[0])
        return found

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
