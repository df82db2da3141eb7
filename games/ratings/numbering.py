"""Numbering: final units get their numbers in the order in which they became final, and count.

`on_final` and `on_reopened` are subscribers of events of matches; `count` does the rest, one worker
at a time. Killed anywhere, the next run continues.
"""

from __future__ import annotations

import time

from django.db import transaction

from games.outbox import leases
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.ratings import units
from games.ratings.models import Family, FinalUnit, Unit
from games.ratings.replay import replay
from games.ratings.units import Outcome

LEASE = "ratings"
SHARE_SECONDS = 45.0  # of one run
MAX_UNITS = 500  # numbered in one run


def rows(event: Event) -> tuple[None, ...]:
    """One row for the end of a match between people."""
    return () if event.concerns_house else (None,)


def on_final(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match is final; its unit waits for a number, or counts again."""
    match = _match(dispatch)
    if match is None or not match.rated or not units.is_final(match):
        return
    unit = units.outcome(match)
    with transaction.atomic():
        _family(match.rules.family)  # Its lock comes before those of its units, as in a replay.
        row = Unit.objects.filter(match=unit.match).first()
        if row is None:
            waits = {"final_at": unit.final_at}
            FinalUnit.objects.update_or_create(match=unit.match, defaults=waits)
        elif unit.quarters is None and row.quarters is not None:
            row.quarters = None
            row.save(update_fields=["quarters"])
            replay_from(row.family, row.number)
        elif unit.quarters is not None and row.finished_at != unit.finished_at:
            # It went on and has ended again before `on_reopened` came to it.
            _withdraw(row)
            FinalUnit.objects.create(match=unit.match, final_at=unit.final_at)


def on_reopened(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match goes on; its unit loses its number and gets another at its next end."""
    match = _match(dispatch)
    if match is None or units.is_final(match):
        return
    first = units.first_of(match)
    with transaction.atomic():
        _family(match.rules.family)
        FinalUnit.objects.filter(match=first).delete()
        row = Unit.objects.filter(match=first).first()
        if row is not None:
            _withdraw(row)


def replay_from(family: str, number: int) -> None:
    """Have a family rated again from a number on, in the transaction that changes a unit."""
    row = _family(family)
    if row.replay_from is None or number < row.replay_from:
        row.replay_from = number
        row.save(update_fields=["replay_from"])


def count(seconds: float = SHARE_SECONDS) -> int:
    """Replay what was corrected, then number and rate the units that wait; returns how many.

    Does nothing if another worker holds the lease.
    """
    with leases.claimed(LEASE) as lease:
        if lease is None:
            return 0
        until = time.monotonic() + seconds
        corrected = Family.objects.filter(replay_from__isnull=False)
        for family in corrected.order_by("family").values_list("family", flat=True):
            _replay(family)
        done = 0
        waiting = FinalUnit.objects.order_by("final_at", "match")
        for unit in waiting[:MAX_UNITS]:
            if time.monotonic() >= until or not lease.renew():
                break
            done += _number(unit.match_id)
    return done


def recompute(family: str) -> int | None:
    """Rate a family from its first unit; returns how many units changed, None if others do it."""
    with leases.claimed(LEASE) as lease:
        if lease is None:
            return None
        with transaction.atomic():
            row = _family(family)
            row.replay_from = None
            row.save(update_fields=["replay_from"])
            return replay(family)


def _replay(family: str) -> None:
    with transaction.atomic():
        row = _family(family)
        if row.replay_from is not None:
            replay(family, row.replay_from)
            row.replay_from = None
            row.save(update_fields=["replay_from"])


def _number(match_id: int) -> bool:
    """Number and rate one unit; False if it went on or was numbered meanwhile."""
    with transaction.atomic():
        if not FinalUnit.objects.filter(match=match_id).delete()[0]:
            return False
        match = Match.objects.select_related("twin").get(pk=match_id)
        if not units.is_final(match) or Unit.objects.filter(match=match).exists():
            return False
        family = _family(match.rules.family)
        unit = _unit(family, units.outcome(match))
        unit.save()
        family.last_number, family.last_final_at = unit.number, unit.final_at
        family.save(update_fields=["last_number", "last_final_at"])
        replay(family.family, unit.number)
    return True


def _family(family: str) -> Family:
    """The row of a family, locked until the end of the transaction."""
    row, _made = Family.objects.select_for_update().get_or_create(family=family)
    return row


def _withdraw(unit: Unit) -> None:
    """Take a unit's number away, as its match has gone on."""
    replay_from(unit.family, unit.number)
    unit.delete()


def _unit(family: Family, outcome: Outcome) -> Unit:
    """The row of a new unit; its instant is never before that of the number before."""
    south, north = outcome.users
    return Unit(
        family=family.family,
        number=family.last_number + 1,
        match=outcome.match,
        south_id=south,
        north_id=north,
        finished_at=outcome.finished_at,
        final_at=max(filter(None, (outcome.final_at, family.last_final_at))),
        quarters=outcome.quarters,
        least_turns=outcome.least_turns,
        how=outcome.how or "",
        loser_last_ply_at=outcome.loser_last_ply_at,
    )


def _match(dispatch: Dispatch) -> Match | None:
    return Match.objects.select_related("twin").filter(pk=dispatch.ref["match"]).first()
