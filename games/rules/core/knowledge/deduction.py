"""Deduction: what follows for unidentified pieces from all pieces of an army taken together.

Every piece has one rank, and an army has a given number of each. So a piece can only have a rank if
all other pieces can get the remaining ones (rank_assignment.py). Where archers shoot, each hit says
in addition how many of the pieces within reach are archers, and is read again whenever more is
known of them. What would need going through cases, such as hits that have suspects in common, is
not deduced, and neither is what follows from a side's still having a legal move.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from games.rules.core.basics.pieces import Rank
from games.rules.core.knowledge.rank_assignment import (
    Excluded,
    RankSet,
    excluded_ranks,
    members,
)
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import Shot, TrackedPiece, Why

MAX_NAMED_PIECES = 3  # that a reason names by their squares


class Conclusion(NamedTuple):
    """Ranks to rule out for a piece, with the reason as `TrackedPiece.rule_out` takes it."""

    tracked: TrackedPiece
    ruled_out: tuple[Rank, ...]
    why: Why
    turn: int
    cells: tuple[int, ...] = ()


class ArmyKnowledge:
    """The pieces of one side's army list as one seat knows them.

    `raised` are all of them, `aside` are the ranks known to be not dealt, `shots` the hits by this
    side's archers, and `turn` is the turn of the conclusions.
    """

    def __init__(
        self,
        rules: Ruleset,
        raised: Sequence[TrackedPiece],
        aside: Iterable[Rank],
        shots: Iterable[Shot],
        turn: int,
    ) -> None:
        self.rules = rules
        self.raised = raised
        self.aside = tuple(aside)
        self.shots = tuple(shots)
        self.turn = turn
        self.army = tuple(troop.rank for troop in rules.army)
        self.bit = {rank: 1 << place for place, rank in enumerate(self.army)}

    def deduce(self, *, is_over: bool) -> None:
        """Rule out for each piece what follows, with reasons, until nothing more does.

        While a match is not over, neither side has lost a piece that would have ended it.
        """
        if not is_over:
            self._draw(self._lost())
        steps = (self._identified_elsewhere, self._read_shots, self._assigned)
        # The simplest reason first: after each conclusion the steps begin again.
        while unknown := [each for each in self.raised if len(each.lines) > 1]:
            left = self._left()
            if not any(self._draw(step(unknown, left)) for step in steps):
                return

    def _draw(self, conclusions: Iterable[Conclusion]) -> bool:
        """Draw some conclusions; whether anything changed."""
        changed = False
        for tracked, ruled_out, why, turn, cells in list(conclusions):
            if tracked.rule_out(ruled_out, why, turn, *cells):
                changed = True
                if len(tracked.lines) == 1:
                    demoted = tracked.marked and self.rules.mark == "demoted"
                    standing = self.rules.stands_as(tracked.lines[0], marked=demoted)
                    tracked.rank = standing[0] if len(standing) == 1 else None
        return changed

    def _left(self) -> dict[Rank, int]:
        """How many pieces of each rank are not identified."""
        left = {troop.rank: troop.number for troop in self.rules.army}
        for rank in self.aside:
            left[rank] -= 1
        for each in self.raised:
            if len(each.lines) == 1:
                left[each.lines[0]] -= 1
        return left

    # --- the steps

    def _lost(self) -> Iterator[Conclusion]:
        """A piece that left the board was none whose loss ends the match."""
        for each in self.raised:
            if each.fell is not None and len(each.lines) > 1:
                yield Conclusion(each, self.rules.vital, Why.PLAYED_ON, each.fell)

    def _identified_elsewhere(
        self, unknown: Sequence[TrackedPiece], left: Mapping[Rank, int]
    ) -> Iterator[Conclusion]:
        """No piece has a rank of which all pieces are identified."""
        spent = tuple(rank for rank, number in left.items() if number <= 0)
        ranks = set(spent)
        for each in unknown:
            if not ranks.isdisjoint(each.lines):
                yield Conclusion(each, spent, Why.COUNTED, self.turn)

    def _read_shots(
        self, unknown: Sequence[TrackedPiece], left: Mapping[Rank, int]
    ) -> Iterator[Conclusion]:
        """Who shot, as far as it follows from the number of archers that a hit needs or allows."""
        if not self.shots or not self.rules.volleys:
            return
        archer = self.rules.volleys.shooter
        began = {each.start: each for each in self.raised}
        others = tuple(rank for rank in self.army if rank != archer)
        needed: dict[frozenset[int], int] = {}  # archers, by the first squares of the suspects
        for shot in self.shots:
            able = [began[at] for at in shot.suspects if archer in began[at].lines]
            unsure = [each for each in able if len(each.lines) > 1]
            if len(able) <= shot.least:
                for each in unsure:
                    yield Conclusion(each, others, Why.SHOT, shot.turn, (shot.cell,))
            elif len(able) - len(unsure) >= shot.most:
                for each in unsure:
                    yield Conclusion(each, (archer,), Why.OTHERS_SHOT, shot.turn, (shot.cell,))
            elif (missing := shot.least - len(able) + len(unsure)) > 0:
                suspects = frozenset(each.start for each in unsure)
                needed[suspects] = max(missing, needed.get(suspects, 0))
        for archers in _using_up(needed, left[archer]):
            cells = self._named([began[start] for start in archers])
            for each in unknown:
                if each.start not in archers:
                    yield Conclusion(each, (archer,), Why.SHARED, self.turn, cells)

    def _assigned(
        self, unknown: Sequence[TrackedPiece], left: Mapping[Rank, int]
    ) -> Iterator[Conclusion]:
        """No piece has a rank with which the others could not all get the remaining ranks."""
        by_lines: dict[tuple[Rank, ...], list[TrackedPiece]] = {}
        for each in unknown:
            by_lines.setdefault(each.lines, []).append(each)
        groups = {self._set(lines): pieces for lines, pieces in by_lines.items()}
        numbers = Counter({group: len(pieces) for group, pieces in groups.items()})
        out_of_play = sum(left.values()) - len(unknown)
        if out_of_play < 0:
            return
        undealt = 0
        if out_of_play:
            always = self.rules.deal.always if self.rules.deal else ()
            undealt = self._set(rank for rank in self.army if left[rank] and rank not in always)
            numbers[undealt] += out_of_play
        excluded_by_group = excluded_ranks(numbers, tuple(left.values()))
        for group, excluded in (excluded_by_group or {}).items():
            for each in groups.get(group, ()):
                yield from self._explain(each, excluded, groups, undealt)

    def _set(self, ranks: Iterable[Rank]) -> RankSet:
        return sum(self.bit[rank] for rank in ranks)

    def _ranks(self, ranks: RankSet) -> tuple[Rank, ...]:
        return tuple(self.army[place] for place in members(ranks))

    # --- reasons

    def _named(self, users: Sequence[TrackedPiece]) -> tuple[int, ...]:
        """The cells of pieces that a reason names; empty if they are many or one has fallen."""
        if len(users) > MAX_NAMED_PIECES or any(each.fell is not None for each in users):
            return ()
        return tuple(sorted(each.cell for each in users))

    def _explain(
        self,
        tracked: TrackedPiece,
        excluded: Excluded,
        groups: Mapping[RankSet, Sequence[TrackedPiece]],
        undealt: RankSet,
    ) -> Iterator[Conclusion]:
        """Rule out the excluded ranks, for reasons that a sentence can give.

        A few pieces that use up some ranks are named; the rest is one reason about all others.
        """
        by_use: dict[RankSet, RankSet] = defaultdict(int)
        for rank, used_up in excluded.items():
            by_use[used_up] |= 1 << rank
        others: RankSet = 0
        ruled_out: RankSet = 0
        for used_up, ranks in by_use.items():
            users = _within(used_up, groups)
            cells = () if undealt and undealt & ~used_up == 0 else self._named(users)
            if cells:
                yield Conclusion(tracked, self._ranks(ranks), Why.SHARED, self.turn, cells)
            else:
                others |= used_up
                ruled_out |= ranks
        if ruled_out:
            remaining = self._set(tracked.lines) & ~sum(1 << rank for rank in excluded)
            users = _within(others, groups)
            if remaining.bit_count() > ruled_out.bit_count():
                why = Why.SHARED
            elif undealt and undealt & ~others == 0:
                why = Why.UNDEALT
            elif not tracked.moved and all(each.moved for each in users):
                why = Why.MOVERS
            else:
                why = Why.REST
            yield Conclusion(tracked, self._ranks(ruled_out), why, self.turn)


def _using_up(needed: Mapping[frozenset[int], int], left: int) -> Iterator[frozenset[int]]:
    """The suspects of hits that have none in common and need all archers that are left."""
    for size in range(1, left + 1):
        for hits in combinations(needed, size):
            suspects = frozenset().union(*hits)
            if sum(needed[hit] for hit in hits) == left and len(suspects) == sum(map(len, hits)):
                yield suspects


def _within(ranks: RankSet, groups: Mapping[RankSet, Sequence[TrackedPiece]]) -> list[TrackedPiece]:
    """The pieces that can have none but these ranks."""
    return [each for group, pieces in groups.items() if group & ~ranks == 0 for each in pieces]
