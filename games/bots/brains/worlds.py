"""Determinization: average value of each move over positions (worlds) sampled from the belief."""

from collections.abc import Iterator, Mapping
from random import Random

from games.bots.brains.fields import Fields
from games.bots.brains.oneply import Appraisal, parts_of
from games.bots.brains.search import BUDGET, Search
from games.bots.brains.situation import Situation
from games.bots.levels import Level
from games.rules.core.imagine import Imagined, imagine
from games.rules.core.moves import Move

DARING = 0.45  # how far an enemy is believed to strike right at a piece that it does not know
WIDTH = 14  # moves that are searched, the best by their first appraisal
FIRST_WORLDS = 4  # in which every move is tried for what it leaves open; fewer if there are fewer
FEAR = 20.0  # what leaving the piece that decides the match to be taken costs, in each of them


def drawn_world(situation: Situation, rng: Random) -> Imagined:
    """A position that the situation's belief allows."""
    rules = situation.rules
    ranks = {
        rules.board.names[cell]: rules.rank_of(content)
        for cell, content in situation.belief.world(rng).items()
    }
    return imagine(rules, situation.observation, ranks)


class Worlds:
    """Searches the moves of one situation in worlds drawn from its belief."""

    def __init__(self, situation: Situation, fields: Fields, rng: Random, level: Level) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.seat = situation.seat
        self.level = level
        self.untold = {unit.cell for unit in situation.own if not unit.told}
        self.search = Search(situation, fields)
        self.rng = rng
        self.first = [drawn_world(situation, rng) for _ in range(min(FIRST_WORLDS, level.worlds))]

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
        for world in self._worlds():
            strikes = self.search.strikes(world)
            for text in best:
                sums[text] += self._root(world, moves[text], strikes)
            searched += 1
        return {text: whole / searched for text, whole in sums.items()}

    def _worlds(self) -> Iterator[Imagined]:
        """The first worlds, then as many more as the level has counts for."""
        yield from self.first
        for _ in range(FIRST_WORLDS, self.level.worlds):
            if self.search.looked >= self.level.looked:
                return
            yield drawn_world(self.situation, self.rng)

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
        passed = worst = search.search(search.passed(after), depth - 1)
        for reply in self._replies(after, strikes):
            then, _ = self.rules.apply(after, after.turn, reply)
            value = search.search(then, depth - 1)
            struck = parts_of(reply)[2]
            if struck in untold:
                value = passed + DARING * (value - passed)
            worst = min(worst, value)
        return worst - search.value(after)

    def _replies(self, after: Imagined, strikes: list[Move]) -> list[Move]:
        tries = self.search.tries(after)
        legal = self.rules.legal_moves(after, after.turn) if strikes else ()
        return tries + [move for move in strikes if move in legal and move not in tries]
