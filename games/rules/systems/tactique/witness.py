"""Witnesses of volleys: what one side learns of the other's pieces when archers shoot, or do not.

Archers have no choice (T8): they hit every enemy in their reach but the flag. So a piece that does
not shoot at an enemy in its reach is no archer, and one that is not hit where an archer reaches it
is the flag.
"""

from collections.abc import Container, Iterator, Mapping

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.state.evidence import Inference, Traced, Why
from games.rules.systems.tactique.pieces import ARCHER, ARMY, FLAG, LOWER
from games.rules.systems.tactique.volley import Archers


def all_but(*ranks: Rank) -> tuple[Rank, ...]:
    """The lines of the army list without some."""
    return tuple(troop.rank for troop in ARMY if troop.rank not in ranks)


def may_shoot(one: Traced) -> bool:
    """Whether a piece may be an archer; a demoted one never is."""
    return ARCHER in one.lines and not one.marked


class Witness:
    """One volley as one seat saw it: the pieces before it by cell, and which were hit."""

    def __init__(
        self,
        archers: Archers,
        seat: Seat,
        pieces: Mapping[int, Traced],
        hits: Mapping[int, bool],
        *,
        hit_flag: bool,
    ) -> None:
        self.archers = archers
        self.seat = seat
        self.pieces = pieces
        self.hits = hits
        self.hit_flag = hit_flag

    def inferences(self, shooters: Container[Seat]) -> Iterator[Inference]:
        """What the seat learns of the other side's pieces."""
        foe = self.seat.other
        for cell, one in self.pieces.items():
            if one.seat is self.seat and foe in shooters:
                yield from self._shots_at(cell, one)
            elif one.seat is foe and self.seat in shooters:
                yield from self._own_shots_at(cell, one)

    def _reached_by(self, cell: int, side: Seat) -> list[int]:
        """The cells of a side's pieces that may have shot at a cell."""
        return [
            aim
            for aim in self.archers.aims(cell, self.pieces)
            if aim in self.pieces and self.pieces[aim].seat is side and may_shoot(self.pieces[aim])
        ]

    def _shots_at(self, cell: int, mine: Traced) -> Iterator[Inference]:
        """What an own piece tells of the enemies around it, by being hit or not."""
        if FLAG in mine.lines and not self.hit_flag:
            return
        suspects = self._reached_by(cell, self.seat.other)
        if cell not in self.hits:
            for aim in suspects:
                yield Inference(aim, (ARCHER,), Why.HELD_FIRE, cell)
            return
        # Two arrows remove at once what one would have demoted.
        strong = len(mine.lines) == 1 and mine.lines[0] in LOWER and not mine.marked
        needed = 2 if strong and self.hits[cell] else 1
        if len(suspects) == needed:
            for aim in suspects:
                yield Inference(aim, all_but(ARCHER), Why.SHOT, cell)

    def _own_shots_at(self, cell: int, theirs: Traced) -> Iterator[Inference]:
        """What an enemy in the reach of own archers is, by what became of it."""
        reached_by = self._reached_by(cell, self.seat)
        if cell not in self.hits:
            sure = any(self.pieces[aim].lines == (ARCHER,) for aim in reached_by)
            if sure and not self.hit_flag:
                yield Inference(cell, all_but(FLAG), Why.SPARED, reached_by[0])
            return
        one_arrow = len(reached_by) == 1 or not self.archers.every_hit
        if self.hits[cell] and one_arrow and not theirs.marked:
            kinds = (ARCHER, FLAG) if self.hit_flag else (ARCHER,)
            yield Inference(cell, all_but(*kinds), Why.FELL, cell)
