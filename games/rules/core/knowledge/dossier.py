"""Dossiers: what one seat knows of every piece at one moment, and what is still out there.

Made from the pieces that a tracker has followed and from the seat's present observation. What that
seat may not know is in neither, so it cannot change a dossier.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.knowledge.piece_tracking import Tracker
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.evidence import Reason, Traced, Why


class Count(NamedTuple):
    """How many pieces of one line of an army list are where, as far as the reader knows.

    `hidden` are the others: unknown pieces of that army, standing, fallen unknown or out of play.
    """

    rank: Rank
    raised: int
    fallen: int
    standing: int
    aside: int

    @property
    def hidden(self) -> int:
        return self.raised - self.fallen - self.standing - self.aside

    @property
    def out(self) -> int:
        """How many may still be on the board."""
        return self.standing + self.hidden


@dataclass(frozen=True, repr=False)
class Dossier:
    """What a seat knows after `turn` turns. Pieces are by square name; `counts` by seat."""

    seat: Seat
    turn: int
    pieces: dict[str, Traced]
    gone: tuple[Traced, ...]
    counts: BySeat[tuple[Count, ...]]
    unnamed: BySeat[int]  # fallen pieces whose rank was never told
    threatened: tuple[str, ...]  # squares of pieces that could be captured next

    def enemies(self) -> dict[str, Traced]:
        """The standing pieces of the other side."""
        return {at: one for at, one in self.pieces.items() if one.seat is not self.seat}

    def remembered(self) -> dict[str, Traced]:
        """The enemies whose rank the seat knows though the board does not show it."""
        return {at: one for at, one in self.enemies().items() if one.rank is not None}


def dossier(tracker: Tracker, observation: Observation) -> Dossier:
    """What the tracker's seat knows, with the board as it sees it now.

    The tracker's pieces become the dossier's and are brought into line with the board; whoever
    wants to go on with the tracker writes it down before.
    """
    rules = tracker.rules
    tracker.agree(observation)
    index = rules.board.index
    standing = {square: tracker.at[index[square]] for square in sorted(observation.pieces)}
    gone = tracker.gone
    everybody = [*standing.values(), *gone]
    if rules.hidden:
        for seat in Seat:
            raised = [one for one in everybody if one.raised_by is seat]
            _count_out(rules, raised, observation.aside[seat] or (), tracker.turn)
    sides = {square: seen.seat for square, seen in observation.pieces.items()}
    return Dossier(
        seat=tracker.seat,
        turn=tracker.turn,
        pieces=standing,
        gone=tuple(gone),
        counts=BySeat(*(_counts(rules, everybody, observation, seat) for seat in Seat)),
        unnamed=BySeat(
            *(sum(one.raised_by is seat and len(one.lines) > 1 for one in gone) for seat in Seat)
        ),
        threatened=rules.jumps.threatened(sides) if rules.jumps else (),
    )


def _count_out(
    rules: Ruleset, raised: Iterable[Traced], aside: tuple[Rank, ...], turn: int
) -> None:
    """Rule out, for each unidentified piece, the ranks that are all accounted for elsewhere."""
    total = Counter({troop.rank: troop.number for troop in rules.army})
    unknown = [one for one in raised if len(one.lines) > 1]
    taken = Counter(one.lines[0] for one in raised if len(one.lines) == 1)
    taken.update(aside)
    while spent := [rank for rank in total if total[rank] <= taken[rank]]:
        found = []
        for one in unknown:
            one.rule_out(tuple(spent), Why.COUNTED, turn)
            if len(one.lines) == 1:
                standing = rules.stands_as(
                    one.lines[0], marked=one.marked and rules.mark == "demoted"
                )
                one.rank = standing[0] if len(standing) == 1 else None
                found.append(one)
        if not found:
            return
        unknown = [one for one in unknown if one not in found]
        taken.update(one.lines[0] for one in found)


def _counts(
    rules: Ruleset, everybody: Iterable[Traced], observation: Observation, seat: Seat
) -> tuple[Count, ...]:
    known = [one for one in everybody if one.raised_by is seat and len(one.lines) == 1]
    fallen = Counter(one.lines[0] for one in known if one.fell is not None)
    standing = Counter(one.lines[0] for one in known if one.fell is None)
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


def reasons_shown(one: Traced) -> list[Reason]:
    """The reasons that matter for what a piece may be: once it was seen, that alone counts."""
    final = (Why.FOUGHT, Why.SHOWN)
    for reason in one.reasons:
        if reason.why in final:
            return [reason]
    return one.reasons
