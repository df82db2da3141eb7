"""What counts for ratings, and the ratings that follow from a family's units; pure functions.

A unit is a match, or a set of two, that is final. Ratings are a function of the numbered units and
nothing else.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nlargest

from games.play.terms import MIN_TURNS
from games.ratings.glicko import formula
from games.ratings.glicko.formula import Result, State

MAX_ABSENCES = 3  # losses on time in a row that count, of somebody who has vanished
MAX_OF_A_PAIR = 3  # counted units of the same two players in PAIR_PERIOD
PAIR_PERIOD = timedelta(days=30)
WEEK = timedelta(days=7)
ESTABLISHED = 110  # a rating with a larger deviation is shown with a question mark
LEADER_UNITS = 10  # counted units that the leader table asks for
LEADER_PERIOD = timedelta(days=180)  # it lists nobody without a counted unit for so long

STAFF, SHORT, ABSENCE, PAIR = "staff", "short", "absence", "pair"


@dataclass(frozen=True)
class Facts:
    """A final unit with a score; `a` and `b` are its players, in any form that identifies them."""

    number: int
    finished_at: datetime  # in a set that of the later match
    final_at: datetime  # when it was numbered, never before that of the number before
    a: Hashable
    b: Hashable
    score: float  # a's: 0, 1/4, 1/2, 3/4 or 1
    least_turns: int  # of the side with fewer; in a set the greater of both matches
    lost_on_time: bool  # by the side with fewer points
    loser_last_ply_at: datetime | None  # the loser's last own move before its end; None: never
    taken_out: bool = False  # by staff

    @property
    def loser(self) -> Hashable | None:
        """Who lost it on time; None if nobody did."""
        if not self.lost_on_time or self.score == 0.5:
            return None
        return self.a if self.score < 0.5 else self.b


@dataclass(frozen=True)
class Rated:
    """A unit with the reason that keeps it out, or both states; `before` are aged to that day."""

    unit: Facts
    why: str = ""
    before: tuple[State, State] | None = None
    after: tuple[State, State] | None = None

    @property
    def counted(self) -> bool:
        return not self.why


@dataclass
class Standing:
    """A player's state after their last counted unit, and when that was."""

    state: State = field(default_factory=State)
    at: datetime | None = None

    def periods(self, at: datetime) -> float:
        """Rating periods between the last counted unit and an instant; 0 before the first."""
        return 0.0 if self.at is None else max(0.0, (at - self.at) / WEEK)

    def aged(self, at: datetime) -> State:
        return formula.aged(self.state, self.periods(at))


def leads_until(standing: Standing, counted: int) -> datetime | None:
    """Until when the leader table lists a player, if nothing more counts; None: not at all.

    It lists an established rating of LEADER_UNITS units, one of them within LEADER_PERIOD.
    """
    state = standing.state
    if standing.at is None or counted < LEADER_UNITS or state.deviation > ESTABLISHED:
        return None
    periods = formula.periods_until(state, ESTABLISHED)
    return standing.at + min(periods, LEADER_PERIOD / WEEK) * WEEK


def why_not(
    unit: Facts, earlier_losses: Sequence[datetime], counted_of_pair: Sequence[datetime]
) -> str:
    """The first reason that keeps a unit out; "" if it counts.

    `earlier_losses`: when the loser's earlier units ended that they lost on time; the latest
    MAX_ABSENCES suffice. `counted_of_pair`: the final instants of earlier counted units of these
    two, the latest MAX_OF_A_PAIR suffice.
    """
    if unit.taken_out:
        return STAFF
    if unit.least_turns < MIN_TURNS:
        return SHORT
    if unit.loser is not None:
        last = unit.loser_last_ply_at
        since = [at for at in earlier_losses if last is None or at > last]
        if len(since) >= MAX_ABSENCES:
            return ABSENCE
    near = [at for at in counted_of_pair if unit.final_at - at < PAIR_PERIOD]
    return PAIR if len(near) >= MAX_OF_A_PAIR else ""


def play(unit: Facts, a: Standing, b: Standing) -> Rated:
    """Rate a unit that counts: both players from their states before it; changes both standings."""
    at = unit.final_at
    before = (a.aged(at), b.aged(at))
    after = (
        formula.update(a.state, [_result(before[1], unit.score)], a.periods(at)),
        formula.update(b.state, [_result(before[0], 1 - unit.score)], b.periods(at)),
    )
    a.state, b.state = after
    a.at = b.at = at
    return Rated(unit, before=before, after=after)


def rate(units: Iterable[Facts]) -> Iterator[Rated]:
    """Rate all units of a family, in the order of their numbers."""
    standings: dict[Hashable, Standing] = defaultdict(Standing)
    losses: dict[Hashable, list[datetime]] = defaultdict(list)
    pairs: dict[frozenset[Hashable], deque[datetime]] = defaultdict(
        lambda: deque(maxlen=MAX_OF_A_PAIR)
    )
    for unit in units:
        pair = pairs[frozenset((unit.a, unit.b))]
        loser = unit.loser
        why = why_not(unit, losses[loser], pair)
        if loser is not None:
            losses[loser] = nlargest(MAX_ABSENCES, [*losses[loser], unit.finished_at])
        if why:
            yield Rated(unit, why)
        else:
            pair.append(unit.final_at)
            yield play(unit, standings[unit.a], standings[unit.b])


def _result(opponent: State, score: float) -> Result:
    return Result(opponent.rating, opponent.deviation, score)
