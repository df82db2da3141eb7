"""How members come off a ladder: they leave, miss matches, do not play, or close their account.

Members who are to go keep the place until their running challenges are final, so that their
opponents lose no chance. All of it happens under the locks of locks.py.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max, Q

from accounts.models import User
from games.competitions.ladders import limits
from games.competitions.ladders.events import LadderDropNear, LadderDropped
from games.competitions.ladders.locks import locked
from games.competitions.ladders.models import Challenge, Change, Going, Member, Why
from games.outbox import publishing
from games.outbox.events import people
from games.play.lists.opponents import seats_against_people
from games.play.models.time import Vacation
from lib.db_clock import now, now_expression

MAX_CHECKS = 500  # in one run


def take_off_who_can_go() -> int:
    """Take off those who are to go and have no running challenge any more; returns how many.

    Usually the end of the challenge or the command has done so.
    """
    done = 0
    going = Member.objects.exclude(going="").order_by("ladder", "pk")
    for ladder_id, member_id, user_id in list(going.values_list("ladder", "pk", "user")):
        with transaction.atomic():
            locked([user_id], pk=ladder_id)
            member = Member.objects.filter(pk=member_id).select_related("user").first()
            done += member is not None and take_off(member, now())
    return done


def send_off(member: Member, why: Going, at: datetime) -> bool:
    """Have a member leave, as soon as they have no running challenge; whether they are off it."""
    if not member.going:
        member.going = why
        member.save(update_fields=["going"])
    return take_off(member, at)


def take_off(member: Member, at: datetime) -> bool:
    """Take a member who is to go off the ladder, unless a challenge of theirs is running."""
    running = Challenge.objects.filter(
        Q(challenger=member.user_id) | Q(challenged=member.user_id),
        ladder=member.ladder_id,
        settled_at__isnull=True,
    )
    if not member.going or running.exists():
        return False
    member.delete()
    below = Member.objects.filter(ladder=member.ladder_id, place__gt=member.place)
    below.update(place=F("place") - 1)
    change = Change.objects.create(
        ladder_id=member.ladder_id,
        at=at,
        user=member.user,
        from_place=member.place,
        why=Why(member.going),
    )
    if member.going in (Going.MISSED, Going.IDLE):
        dropped = LadderDropped(
            ladder=member.ladder_id, change=change.pk, people=people([member.user])
        )
        publishing.publish(dropped)
    return True


def check_absent() -> int:
    """Warn members who have not played for long, and drop them a week later.

    Returns how many were warned or dropped. Idempotent, also when several run at once.
    """
    due = Member.objects.filter(going="", check_at__lte=now_expression()).order_by("check_at")
    done = 0
    columns = due.values_list("ladder", "pk", "user")[:MAX_CHECKS]
    for ladder_id, member_id, user_id in list(columns):
        with transaction.atomic():
            locked([user_id], pk=ladder_id)
            at = now()
            row = Member.objects.filter(pk=member_id, going="", check_at__lte=at)
            member = row.select_related("user").first()
            if member is not None:
                done += _check(member, at)
    return done


def played_since(member: Member) -> datetime:
    """When a member last made a move against a person, in any match, or joined since."""
    last = seats_against_people(member.user_id).aggregate(last=Max("moved_at"))["last"]
    return max(member.joined_at, last or member.joined_at)


def close_account(user: User) -> None:
    """Take a user off all ladders whose account is closed, blocked or to be closed, as above."""
    for member in Member.objects.filter(user=user).order_by("ladder"):
        with transaction.atomic():
            locked([user.pk], pk=member.ladder_id)
            row = Member.objects.filter(pk=member.pk).select_related("user").first()
            if row is not None:
                send_off(row, Going.CLOSED, now())


def _check(member: Member, at: datetime) -> bool:
    """Look whether a member still plays; whether they were warned or dropped."""
    since = played_since(member)
    vacations = Vacation.objects.filter(user=member.user_id, end__gt=since)
    away = list(vacations.values_list("start", "end"))
    if at >= limits.after(since, limits.IDLE, away):
        send_off(member, Going.IDLE, at)
        return True
    warn_at = limits.after(since, limits.IDLE_WARNING, away)
    is_new = at >= warn_at and member.warned_since != since
    if is_new:
        member.warnings += 1
        member.warned_since = since
        near = LadderDropNear(
            ladder=member.ladder_id,
            member=member.pk,
            warning=member.warnings,
            people=people([member.user]),
        )
        publishing.publish(near)
    member.check_at = limits.after(since, limits.IDLE, away) if at >= warn_at else warn_at
    member.save(update_fields=["warnings", "warned_since", "check_at"])
    return is_new
