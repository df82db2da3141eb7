"""Inferences from a volley: what one side learns of the other's pieces when archers shoot, or not.

Archers have no choice (T8): they hit every enemy in their reach but the flag. So a piece that does
not shoot at an enemy in its reach is no archer, and one that is not hit where an archer reaches it
is the flag.
"""

from collections.abc import Iterator, Mapping

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.state.tracked_pieces import Inference, Shot, TrackedPiece, Why
from games.rules.systems.tactique.archers import Archers
from games.rules.systems.tactique.pieces import ARCHER, ARMY, FLAG, LOWER


def all_but(*ranks: Rank) -> tuple[Rank, ...]:
    """The lines of the army list without some."""
    return tuple(troop.rank for troop in ARMY if troop.rank not in ranks)


def may_shoot(tracked: TrackedPiece) -> bool:
    """Whether a piece may be an archer; a demoted one never is."""
    return ARCHER in tracked.lines and not tracked.marked


class ObservedVolley:
    """One volley as one seat saw it.

    `pieces` are those before it, by cell; `hits` maps each cell hit to whether its piece was
    removed.
    """

    def __init__(
        self,
        archers: Archers,
        seat: Seat,
        pieces: Mapping[int, TrackedPiece],
        hits: Mapping[int, bool],
    ) -> None:
        self.archers = archers
        self.seat = seat
        self.pieces = pieces
        self.hits = hits

    def inferences(self, turn: Seat) -> Iterator[Inference]:
        """What the seat learns of the other side's pieces from the volley before a side's turn."""
        foe, shooters = self.seat.other, self.archers.shooters[turn]
        for cell, tracked in self.pieces.items():
            if tracked.seat is self.seat and foe in shooters:
                yield from self._shots_at(cell, tracked)
            elif tracked.seat is foe and self.seat in shooters:
                yield from self._own_shots_at(cell, tracked)

    def _reached_by(self, cell: int, side: Seat) -> list[int]:
        """The cells of a side's pieces that may have shot at a cell."""
        return [
            aim
            for aim in self.archers.aims(cell, self.pieces)
            if aim in self.pieces and self.pieces[aim].seat is side and may_shoot(self.pieces[aim])
        ]

    def _shots_at(self, cell: int, own: TrackedPiece) -> Iterator[Inference]:
        """What follows for the enemies around an own piece from whether it was hit."""
        if FLAG in own.lines and not self.archers.hit_flag:
            return
        suspects = self._reached_by(cell, self.seat.other)
        if cell not in self.hits:
            for aim in suspects:
                yield Inference(aim, (ARCHER,), Why.HELD_FIRE, cell)
        elif len(suspects) == self._arrows(cell, own)[0]:
            for aim in suspects:
                yield Inference(aim, all_but(ARCHER), Why.SHOT, cell)

    def shots(self, turn: Seat) -> Iterator[Shot]:
        """The hits on the seat's pieces in the volley before a side's turn."""
        foe = self.seat.other
        for cell in self.hits if foe in self.archers.shooters[turn] else ():
            own = self.pieces.get(cell)
            if own is not None and own.seat is self.seat:
                suspects = self._reached_by(cell, foe)
                least, most = self._arrows(cell, own)
                began = tuple(self.pieces[aim].start for aim in suspects)
                yield Shot(0, cell, began, least, min(most, len(began)))

    def _arrows(self, cell: int, own: TrackedPiece) -> tuple[int, int]:
        """How many archers, at least and at most, shot at an own piece that was hit."""
        strong = len(own.lines) == 1 and own.lines[0] in LOWER and not own.marked
        # Where every archer hits, two arrows remove at once what one demotes.
        if not strong or not self.archers.every_hit:
            return 1, len(self.pieces)
        return (2, len(self.pieces)) if self.hits[cell] else (1, 1)

    def _own_shots_at(self, cell: int, enemy: TrackedPiece) -> Iterator[Inference]:
        """What follows for an enemy within reach of own archers from what became of it."""
        reached_by = self._reached_by(cell, self.seat)
        if cell not in self.hits:
            sure = any(self.pieces[aim].lines == (ARCHER,) for aim in reached_by)
            if sure and not self.archers.hit_flag:
                yield Inference(cell, all_but(FLAG), Why.SPARED, reached_by[0])
            return
        one_arrow = len(reached_by) == 1 or not self.archers.every_hit
        if self.hits[cell] and one_arrow and not enemy.marked:
            kinds = (ARCHER, FLAG) if self.archers.hit_flag else (ARCHER,)
            yield Inference(cell, all_but(*kinds), Why.FELL, cell)
