"""Determinization: average value of each move over positions (worlds) sampled from the belief."""

from collections.abc import Mapping
from random import Random

from games.bots.brains.oneply import Appraisal, parts_of
from games.bots.brains.search import BUDGET, Search
from games.bots.brains.situation import Situation
from games.bots.levels import Level
from games.rules.core.board import EMPTY
from games.rules.core.imagine import Imagined, imagine
from games.rules.core.moves import Move

DARING = 0.45  # how far an enemy is believed to strike right at a piece that it does not know
WIDTH = 14  # moves that are searched, the best by their first appraisal
FEWEST_WORLDS = 4  # that are searched; in these every move is tried for what it leaves open
FEAR = 20.0  # what leaving the piece that decides the match to be taken costs, in each of them


class Worlds:
    """Searches the moves of one situation in worlds drawn from its belief."""

    def __init__(self, situation: Situation, rng: Random, level: Level) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.seat = situation.seat
        self.level = level
        self.untold = {unit.cell for unit in situation.own if not unit.told}
        self.search = Search(situation)
        self.rng = rng
        self.first = [self._world() for _ in range(FEWEST_WORLDS)]

    def _world(self) -> Imagined:
        names, rank_of = self.rules.board.names, self.rules.rank_of
        drawn = self.situation.belief.world(self.rng)
        ranks = {names[cell]: rank_of(content) for cell, content in drawn.items()}
        return imagine(self.rules, self.situation.observation, ranks)

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
            searched < self.level.worlds and self.search.looked < self.level.looked
        ):
            world = self.first[searched] if searched < FEWEST_WORLDS else self._world()
            strikes = self.search.strikes(world)
            for text in best:
                sums[text] += self._root(world, moves[text], strikes)
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
                if not after.outcome and self.search.threatens(after):
                    fears[text] += FEAR
        return fears

    def _root(self, world: Imagined, move: Move, strikes: list[Move]) -> float:
        """What the enemy's best answer takes back, as far as it can know it, and what follows.

        `strikes` are answers that are tried whatever they gain, where they can still be made.
        """
        search = self.search
        after, _ = self.rules.apply(world, self.seat, move)
        if after.outcome is not None:
            return 0.0
        source, stop, target = parts_of(move)
        untold = self.untold - {source}
        if target is None and source in self.untold:
            untold = untold | {stop}
        search.left = BUDGET
        depth = self.level.replies
        shot = self._shot(world, move, after) if self.rules.volleys else 0.0
        passed = worst = search.search(search.passed(after), depth - 1)
        for reply in self._replies(after, strikes):
            then, _ = self.rules.apply(after, after.turn, reply)
            value = search.search(then, depth - 1)
            struck = parts_of(reply)[2]
            if struck in untold:
                value = passed + DARING * (value - passed)
            worst = min(worst, value)
        return worst - search.value(after) + shot

    def _replies(self, after: Imagined, strikes: list[Move]) -> list[Move]:
        tries = self.search.tries(after)
        legal = self.rules.legal_moves(after, after.turn) if strikes else ()
        return tries + [move for move in strikes if move in legal and move not in tries]

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
        stood = world._replace(cells=bytes(cells))
        return self.search.value(after) - self.search.value(stood)
