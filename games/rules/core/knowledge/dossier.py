"""Dossier: what one seat knows of every piece now, and how many of each rank are left.

It is made from a tracker and the seat's present observation. Neither holds anything that the seat
may not know, so a dossier holds nothing of the kind either.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import Reason, TrackedPiece, Why


class Count(NamedTuple):
    """Pieces of one line of an army list, counted by where the reader knows them to be."""

    rank: Rank
    raised: int  # in the whole army
    fallen: int
    standing: int
    aside: int  # not dealt

    @property
    def hidden(self) -> int:
        """How many are unknown: on the board, fallen unnamed or not dealt."""
        return self.raised - self.fallen - self.standing - self.aside

    @property
    def out(self) -> int:
        """How many may still be on the board."""
        return self.standing + self.hidden


@dataclass(frozen=True, repr=False)
class Dossier:
    """What a seat knows after `turn` turns. Pieces are by square name, counts by seat."""

    seat: Seat
    turn: int
    pieces: dict[str, TrackedPiece]
    gone: tuple[TrackedPiece, ...]
    counts: BySeat[tuple[Count, ...]]
    unnamed: BySeat[int]  # fallen pieces whose rank was never shown
    threatened: tuple[str, ...]  # squares of pieces that could be captured next

    def enemies(self) -> dict[str, TrackedPiece]:
        """The pieces of the other side on the board."""
        return {at: enemy for at, enemy in self.pieces.items() if enemy.seat is not self.seat}

    def remembered(self) -> dict[str, TrackedPiece]:
        """The enemies whose rank the seat knows."""
        return {at: enemy for at, enemy in self.enemies().items() if enemy.rank is not None}


def dossier(tracker: Tracker, observation: Observation) -> Dossier:
    """The dossier of the tracker's seat, with its present observation.

    Changes the tracker's pieces; to continue tracking, dump the tracker before.
    """
    rules = tracker.rules
    tracker.reconcile(observation)
    index = rules.board.index
    standing = {square: tracker.at[index[square]] for square in sorted(observation.pieces)}
    gone = tracker.gone
    tracked = [*standing.values(), *gone]
    if rules.hidden:
        for seat in Seat:
            raised = [each for each in tracked if each.raised_by is seat]
            _count_out(rules, raised, observation.aside[seat] or (), tracker.turn)
    sides = {square: seen.seat for square, seen in observation.pieces.items()}
    return Dossier(
        seat=tracker.seat,
        turn=tracker.turn,
        pieces=standing,
        gone=tuple(gone),
        counts=BySeat(*(_counts(rules, tracked, observation, seat) for seat in Seat)),
        unnamed=BySeat(
            *(sum(each.raised_by is seat and len(each.lines) > 1 for each in gone) for seat in Seat)
        ),
        threatened=rules.jumps.threatened(sides) if rules.jumps else (),
    )


def _count_out(
    rules: Ruleset, raised: Iterable[TrackedPiece], aside: tuple[Rank, ...], turn: int
) -> None:
    """Rule out for unidentified pieces the ranks of which every piece is known."""
    total = Counter({troop.rank: troop.number for troop in rules.army})
    unknown = [each for each in raised if len(each.lines) > 1]
    taken = Counter(each.lines[0] for each in raised if len(each.lines) == 1)
    taken.update(aside)
    while spent := [rank for rank in total if total[rank] <= taken[rank]]:
        identified = []
        for each in unknown:
            each.rule_out(tuple(spent), Why.COUNTED, turn)
            if len(each.lines) == 1:
                standing = rules.stands_as(
                    each.lines[0], marked=each.marked and rules.mark == "demoted"
                )
                each.rank = standing[0] if len(standing) == 1 else None
                identified.append(each)
        if not identified:
            return
        unknown = [each for each in unknown if each not in identified]
        taken.update(each.lines[0] for each in identified)


def _counts(
    rules: Ruleset, tracked: Iterable[TrackedPiece], observation: Observation, seat: Seat
) -> tuple[Count, ...]:
    known = [each for each in tracked if each.raised_by is seat and len(each.lines) == 1]
    fallen = Counter(each.lines[0] for each in known if each.fell is not None)
    standing = Counter(each.lines[0] for each in known if each.fell is None)
    aside = Counter(observation.aside[seat] or ())
    return tuple(
        Count(
            troop.rank,
            troop.number,
            fallen[troop.rank],
            standing[troop.rank],
            aside[troop.rank],
        )
        for troop in rules.army
        if rules.hidden or fallen[troop.rank] or standing[troop.rank]
    )


def reasons_shown(tracked: TrackedPiece) -> list[Reason]:
    """The reasons to show for a piece; once its rank was seen, that one alone."""
    final = (Why.FOUGHT, Why.SHOWN)
    for reason in tracked.reasons:
        if reason.why in final:
            return [reason]
    return tracked.reasons
