"""Dossier: what one seat knows of every piece now, and how many of each rank are left.

It is made from a tracker and the seat's present observation. Neither holds anything that the seat
may not know, so a dossier holds nothing of the kind either.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.knowledge.deduction import ArmyKnowledge
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import Reason, TrackedPiece, Why


class Count(NamedTuple):
    """Pieces of one rank, counted by where the reader knows them to be.

    A demoted piece is counted under the rank that it has now: the rank of such a count ends with
    the sign of demotion, and no army begins with any.
    """

    rank: Rank
    raised: int  # in the whole army; 0 for a demoted rank
    standing: int
    hidden: int  # unidentified: on the board, fallen unnamed or not dealt
    possible: int  # the unidentified ones that may be on the board

    @property
    def out(self) -> int:
        """How many may still be on the board."""
        return self.standing + self.possible


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
            shots = tracker.shots if seat is tracker.seat.other else ()
            aside = observation.aside[seat] or ()
            army = ArmyKnowledge(rules, raised, aside, shots, tracker.turn)
            army.deduce(is_over=observation.outcome is not None)
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


def present_ranks(rules: Ruleset, tracked: TrackedPiece) -> tuple[Rank, ...]:
    """The ranks that a piece may have now; those of a demoted piece with the sign of demotion.

    Elsewhere `lines` are the ranks with which a piece may have begun.
    """
    if not tracked.marked or rules.mark != "demoted":
        return tracked.lines
    return tuple(
        rank + rules.mark_sign
        for line in tracked.lines
        for rank in rules.stands_as(line, marked=True)
    )


def _counts(
    rules: Ruleset, tracked: Iterable[TrackedPiece], observation: Observation, seat: Seat
) -> tuple[Count, ...]:
    hidden = {troop.rank: troop.number for troop in rules.army}
    for rank in observation.aside[seat] or ():
        hidden[rank] -= 1
    alike: Counter[tuple[Rank, ...]] = Counter()  # pieces by what they may be
    for each in tracked:
        if each.raised_by is seat and len(each.lines) == 1:
            hidden[each.lines[0]] -= 1
        # A piece that changed sides is demoted, and counts for the side that has it now.
        if each.fell is None and each.seat is seat:
            alike[present_ranks(rules, each) if each.marked else each.lines] += 1
    standing: Counter[Rank] = Counter()
    possible: Counter[Rank] = Counter()
    for ranks, number in alike.items():
        counted = standing if len(ranks) == 1 else possible
        for rank in ranks:
            counted[rank] += number
    counts = []
    for troop in rules.army:
        rank, left = troop.rank, hidden[troop.rank]
        if rules.hidden or left < troop.number:
            out = min(left, possible[rank])
            counts.append(Count(rank, troop.number, standing[rank], left, out))
    for troop in rules.army if rules.mark == "demoted" else ():
        for lower in rules.stands_as(troop.rank, marked=True):
            rank, left = lower + rules.mark_sign, hidden[troop.rank]
            if standing[rank] or possible[rank]:
                out = min(left, possible[rank])
                counts.append(Count(rank, 0, standing[rank], left, out))
    return tuple(counts)


def reasons_shown(tracked: TrackedPiece) -> list[Reason]:
    """The reasons to show for a piece; once its rank was seen, that one alone."""
    final = (Why.FOUGHT, Why.SHOWN)
    for reason in tracked.reasons:
        if reason.why in final:
            return [reason]
    return tracked.reasons
