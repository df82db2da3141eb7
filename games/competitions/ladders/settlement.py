"""Settlement: what the results of challenges do to the places, in the order of their finality.

`on_final` and `on_reopened` are subscribers of events of matches; `settle_all` applies what is due,
each challenge in a transaction of its own. Killed anywhere, the next run continues.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet

from games.competitions.ladders import departures, limits
from games.competitions.ladders.locks import locked
from games.competitions.ladders.models import Challenge, Change, Going, Member, Why
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from games.play.models.match import Match, Player, Status
from games.ratings import units
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

KEY = "ladders"  # of the handler of MatchFinal, in rows of the outbox
MAX_WAITING = 5000  # rows of the outbox that are looked at before it delivers them
MAX_CHALLENGES = 1000  # settled in one run; the next run continues
DUE = Q(settled_at__isnull=True, final_at__isnull=False)


def rows(event: Event) -> tuple[None, ...]:
    """One row for the end of a match between people."""
    return () if event.concerns_house else (None,)


def on_final(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match is final; if its unit is a challenge, it is to be settled."""
    note_final(dispatch.ref["match"])


def on_reopened(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match goes on; its challenge is running again. Places stay as they are."""
    match = _match(dispatch.ref["match"])
    if match is None or units.is_final(match):
        return
    with transaction.atomic():
        challenge = _locked_challenge(match)
        if challenge is not None:
            challenge.final_at = challenge.settled_at = None
            challenge.challenger_missed = challenge.challenged_missed = False
            challenge.save()


def note_final(match_id: int) -> None:
    """Note when a challenge became final; that it was annulled afterwards takes the misses back."""
    match = _match(match_id)
    if match is None or not units.is_final(match):
        return
    with transaction.atomic():
        challenge = _locked_challenge(match)
        if challenge is None:
            return
        if challenge.settled_at is None:
            challenge.final_at = units.final_at(match)
            challenge.save(update_fields=["final_at"])
            return
        _note_misses(challenge, match)
        going = _members(challenge).filter(going=Going.MISSED)
        for member in going:
            if not _missed_too_much(challenge, member.user_id):
                member.going = ""
                member.save(update_fields=["going"])


def settle_all() -> int:
    """Settle the challenges that are due, each ladder in order; returns how many."""
    # Events that are not delivered yet may be about earlier results.
    waiting = Dispatch.objects.filter(PENDING, handler=KEY).values_list("ref", flat=True)
    ids = [ref["match"] for ref in waiting[:MAX_WAITING]]
    of_these = Challenge.objects.filter(Q(match__in=ids) | Q(match__twin__in=ids))
    for match_id in of_these.order_by("match").values_list("match", flat=True):
        note_final(match_id)
    settled = 0
    due = Challenge.objects.filter(DUE).order_by("ladder").values_list("ladder", flat=True)
    for ladder_id in list(due.distinct()):
        while settled < MAX_CHALLENGES and _settle_next(ladder_id):
            settled += 1
    return settled


def _settle_next(ladder_id: int) -> bool:
    """Settle the challenge of a ladder that became final first; False if none is due."""
    due = Challenge.objects.filter(DUE, ladder=ladder_id).order_by("final_at", "match")
    with transaction.atomic():
        first = due.first()
        if first is None:
            return False
        locked([first.challenger_id, first.challenged_id], pk=ladder_id)
        challenge = due.select_related("match__twin").first()
        if challenge is None or challenge.pk != first.pk:
            return challenge is not None  # Another worker has settled it.
        match = challenge.match
        if not units.is_final(match):
            challenge.final_at = None
            challenge.save(update_fields=["final_at"])
            return True
        at = now()
        if _is_won(challenge, match):
            _move_up(challenge, at)
        challenge.settled_at = at
        _note_misses(challenge, match)
        challenge.save()
        # The lower one first, since it changes no place of the other.
        for member in _members(challenge).select_related("user").order_by("-place"):
            if _missed(challenge, member.user_id) and _missed_too_much(challenge, member.user_id):
                departures.send_off(member, Going.MISSED, at)
            else:
                departures.take_off(member, at)
    return True


def _is_won(challenge: Challenge, match: Match) -> bool:
    """Whether the challenger has more points. A match without a result counts as in a set:

    it is lost by the player who aborted it or did not set up. An annulled match decides nothing.
    """
    matches = units.matches_of(match)
    if any(each.status == Status.VOID for each in matches):
        return False
    points = dict.fromkeys((challenge.challenger_id, challenge.challenged_id), 0)
    for each in matches:
        for player in each.players.all():
            points[player.user_id] += each.half_points[Seat(player.seat)]
    return points[challenge.challenger_id] > points[challenge.challenged_id]


def _move_up(challenge: Challenge, at: datetime) -> None:
    """The challenger takes the place above the challenged, if they still stand below."""
    members = {row.user_id: row for row in _members(challenge)}
    winner, loser = (members.get(pk) for pk in (challenge.challenger_id, challenge.challenged_id))
    if winner is None or loser is None or winner.place < loser.place:
        return
    between = Member.objects.filter(
        ladder=challenge.ladder_id, place__gte=loser.place, place__lt=winner.place
    )
    between.update(place=F("place") + 1)
    Member.objects.filter(pk=winner.pk).update(place=loser.place)
    Change.objects.create(
        ladder_id=challenge.ladder_id,
        at=at,
        user_id=winner.user_id,
        from_place=winner.place,
        to_place=loser.place,
        why=Why.WON,
        match_id=challenge.match_id,
    )


def _note_misses(challenge: Challenge, match: Match) -> None:
    late = Player.objects.filter(match__in=units.matches_of(match), missed_at__isnull=False)
    missed = set(late.values_list("user", flat=True))
    challenge.challenger_missed = challenge.challenger_id in missed
    challenge.challenged_missed = challenge.challenged_id in missed
    challenge.save(update_fields=["challenger_missed", "challenged_missed"])


def _missed(challenge: Challenge, user_id: int) -> bool:
    if user_id == challenge.challenger_id:
        return challenge.challenger_missed
    return challenge.challenged_missed


def _missed_too_much(challenge: Challenge, user_id: int) -> bool:
    """Whether a user missed enough challenges of a ladder, in the time up to this one."""
    assert challenge.final_at is not None  # noqa: S101 - it is settled
    missed = Challenge.objects.filter(
        Q(challenger=user_id, challenger_missed=True)
        | Q(challenged=user_id, challenged_missed=True),
        ladder=challenge.ladder_id,
        settled_at__isnull=False,
        final_at__gt=challenge.final_at - limits.MISS_PERIOD,
    )
    return missed.count() >= limits.MOST_MISSES


def _members(challenge: Challenge) -> QuerySet[Member]:
    """The challenger and the challenged, as far as they are on the ladder."""
    both = (challenge.challenger_id, challenge.challenged_id)
    return Member.objects.filter(ladder=challenge.ladder_id, user__in=both)


def _locked_challenge(match: Match) -> Challenge | None:
    """The challenge of a unit, read under the lock on its ladder; None for other matches."""
    challenges = Challenge.objects.filter(match=units.first_of(match))
    read = challenges.first()
    if read is None:
        return None
    locked([read.challenger_id, read.challenged_id], pk=read.ladder_id)
    return challenges.first()


def _match(match_id: int) -> Match | None:
    return Match.objects.select_related("twin").filter(pk=match_id).first()
