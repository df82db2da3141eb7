"""Reliability: what a player's final matches against people say, kept as a row per player.

The row is computed again whenever a match of the player becomes final or goes on again. It is a
function of the matches alone, so that this may happen twice, late, or in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from statistics import quantiles

from django.db import transaction
from django.db.models import Count, Max, Q

from accounts.models import User
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.people.models import Reliability
from games.play.lists.opponents import seats_against_people
from games.play.models.kind import PlyKind
from games.play.models.match import Player, Status
from games.play.record.public_plies import PublicPly, public_plies
from games.play.terms import MIN_TURNS
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination

MAX_MATCHES = 10  # whose answers are timed: the last finished ones
MIN_ANSWERS = 20  # with fewer, there are no quartiles
MICROSECOND = timedelta(microseconds=1)

FINISHED = Q(match__status=Status.FINISHED, turns__gte=MIN_TURNS)
MISSED = Q(missed_at__isnull=False)
ON_TIME = FINISHED & MISSED & Q(match__reason=OffBoardTermination.TIME)


def rows(event: Event) -> tuple[int, ...]:
    """A row of the outbox for each player of a match between people."""
    return () if event.concerns_house else tuple(person.id for person in event.people)


def on_match(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match of the row's user is final, or goes on again."""
    if dispatch.user is not None and not dispatch.user.is_former:
        renew(dispatch.user)


@transaction.atomic
def renew(user: User) -> Reliability:
    """Compute a player's row again. Idempotent; of several at once, the last one reads last."""
    Reliability.objects.get_or_create(user=user)
    row = Reliability.objects.select_for_update().get(user=user)
    seats = seats_against_people(user.pk).filter(live=False, match__is_final=True)
    counts = seats.aggregate(
        finished=Count("pk", filter=FINISHED),
        lost_on_time=Count("pk", filter=ON_TIME),
        missed=Count("pk", filter=MISSED),
        missed_last=Max("missed_at"),
    )
    row.finished, row.lost_on_time = counts["finished"], counts["lost_on_time"]
    row.not_set_up = counts["missed"] - counts["lost_on_time"]
    since = (
        Q() if counts["missed_last"] is None else Q(match__finished_at__gt=counts["missed_last"])
    )
    row.finished_since = seats.filter(FINISHED & since).count()
    last = seats.filter(FINISHED).order_by("-match__finished_at", "-match")[:MAX_MATCHES]
    row.quickly, row.mostly, row.slowly = quartiles(_answers_of(last)) or (None, None, None)
    row.save()
    return row


def answers(plies: Iterable[PublicPly], seat: Seat) -> list[timedelta]:
    """The time of each answer of a seat: from the opponent's last move to the first of one's own.

    Set-ups, resignations and endings are no answers. A turn that the server has interrupted, by an
    ending that was undone, is left out.
    """
    asked_at: datetime | None = None
    spans = []
    for ply in plies:
        if ply.kind == PlyKind.LOOK:
            continue
        if ply.seat is None:
            asked_at = None
        elif ply.kind != PlyKind.MOVE:
            continue
        elif ply.seat is not seat:
            asked_at = ply.at
        elif asked_at is not None:
            spans.append(ply.at - asked_at)
            asked_at = None
    return spans


def quartiles(times: Sequence[timedelta]) -> tuple[timedelta, timedelta, timedelta] | None:
    """The quartiles, inclusive and linear; None for fewer than MIN_ANSWERS times."""
    if len(times) < MIN_ANSWERS:
        return None
    low, middle, high = quantiles([time / MICROSECOND for time in times], n=4, method="inclusive")
    return (low * MICROSECOND, middle * MICROSECOND, high * MICROSECOND)


def _answers_of(seats: Iterable[Player]) -> list[timedelta]:
    """The times of all answers in these seats; a query for each."""
    return [
        time for seat in seats for time in answers(public_plies(seat.match_id), Seat(seat.seat))
    ]
