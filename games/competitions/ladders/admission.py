"""Who may join a ladder, and who may challenge whom; the same for pages, e-mails and commands."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Count, Q

from games.competitions.ladders import limits, refusals
from games.competitions.ladders.models import Challenge, Change, Ladder, Member, Why
from games.people.standing import limits as caps
from games.play.lists.opponents import has_finished_match
from games.play.models.time import Vacation
from games.rules.core.basics.refusals import Refusal

if TYPE_CHECKING:
    from accounts.models import User

RUNNING = Q(settled_at__isnull=True)


def check_joining(ladder: Ladder, user: User, at: datetime) -> None:
    """Raise a Refusal if a user who is not on the ladder may not join it."""
    if user.kind != "person":
        raise refusals.people_only()
    caps.check_staying(user)
    caps.check_bar(user.pk)
    dropped = Change.objects.filter(user=user, ladder=ladder, why=Why.MISSED)
    last = dropped.order_by("-pk").values_list("at", flat=True).first()
    if last is not None and at - last < limits.BACK_AFTER:
        left = last + limits.BACK_AFTER - at
        raise refusals.back_later(-(-left // refusals.DAY))
    if not has_finished_match(user.pk):
        raise refusals.nothing_finished()


def own_obstacle(ladder: Ladder, me: Member | None, user_id: int, at: datetime) -> Refusal | None:
    """Why a user may challenge nobody at all; None if they may. A constant number of queries.

    `me` is their membership with its user, None if they are not on the ladder.
    """
    if me is None:
        return refusals.not_a_member()
    if me.going:
        return refusals.you_are_going()
    try:
        caps.check_staying(me.user)
        caps.check_bar(user_id)
        caps.check_cap(user_id, 2 if ladder.terms.as_set else 1)
    except Refusal as refusal:
        return refusal
    if away([me.user], at):
        return refusals.you_are_away()
    if outgoing(ladder, [user_id]).get(user_id, 0) >= limits.MOST_OUT:
        return refusals.too_many_out()
    return None


def obstacles(
    ladder: Ladder, me: Member, others: Collection[Member], at: datetime
) -> dict[int, Refusal]:
    """Why a member may not challenge some others, by user id; who is left out may be challenged.

    `others` have their users. At most five queries, however many they are.
    """
    refusal_by_user: dict[int, Refusal] = {}
    places = limits.reach(Member.last_place(ladder))
    near = []
    for other in others:
        if other.user_id == me.user_id:
            refusal_by_user[other.user_id] = refusals.yourself()
        elif other.place > me.place:
            refusal_by_user[other.user_id] = refusals.below()
        elif me.place - other.place > places:
            refusal_by_user[other.user_id] = refusals.out_of_reach(places)
        else:
            near.append(other)
    if not near:
        return refusal_by_user
    ids = [other.user_id for other in near]
    playing, rested = _of_pairs(ladder, me.user_id, ids, at)
    challenged, on_vacation = incoming(ladder, at, ids), away([o.user for o in near], at)
    for other in near:
        pk, since = other.user_id, on_vacation.get(other.user_id)
        leaving = other.going or not other.user.is_active or other.user.closes_at is not None
        if leaving:
            refusal_by_user[pk] = refusals.other_is_going(other.user)
        elif pk in playing:
            refusal_by_user[pk] = refusals.already_playing(other.user)
        elif pk in rested:
            refusal_by_user[pk] = refusals.played_lately(other.user)
        elif since is not None and at - since < limits.SHIELD:
            refusal_by_user[pk] = refusals.other_is_away(other.user)
        elif challenged.get(pk, 0) >= limits.most_in(other.place):
            refusal_by_user[pk] = refusals.too_many_in(other.user, limits.most_in(other.place))
    return refusal_by_user


def outgoing(ladder: Ladder, user_ids: Collection[int] | None = None) -> dict[int, int]:
    """How many running challenges each of these users, or of all, has made; one query."""
    running = Challenge.objects.filter(RUNNING, ladder=ladder)
    if user_ids is not None:
        running = running.filter(challenger__in=user_ids)
    return dict(running.values_list("challenger").annotate(Count("pk")))


def incoming(
    ladder: Ladder, at: datetime, user_ids: Collection[int] | None = None
) -> dict[int, int]:
    """How many challenges to each of these users, or to all, count as running; one query."""
    running = Challenge.objects.filter(RUNNING, ladder=ladder)
    running = running.filter(opened_at__gt=at - limits.COUNTS_AS_IN)
    if user_ids is not None:
        running = running.filter(challenged__in=user_ids)
    return dict(running.values_list("challenged").annotate(Count("pk")))


def away(users: Iterable[User], at: datetime) -> dict[int, datetime]:
    """The start of the current vacation, by user id, of those who are on vacation.

    Hours that the clock took at a deadline are no vacation here. At most one query.
    """
    ids = [user.pk for user in users if user.away_until is not None and user.away_until > at]
    if not ids:
        return {}
    taken: dict[int, list[limits.Interval]] = {pk: [] for pk in ids}
    rows = Vacation.objects.filter(user__in=ids, planned=True, start__lte=at)
    rows = rows.filter(end__gt=at - caps.MISS_PERIOD)  # longer than all vacations of two years
    for user_id, start, end in rows.values_list("user_id", "start", "end"):
        taken[user_id].append((start, end))
    since = {pk: limits.away_since(intervals, at) for pk, intervals in taken.items()}
    return {pk: start for pk, start in since.items() if start is not None}


def _of_pairs(
    ladder: Ladder, user_id: int, others: Collection[int], at: datetime
) -> tuple[set[int], set[int]]:
    """With whom of `others` a user has a running challenge, and with whom one was final lately."""
    both = Q(challenger=user_id, challenged__in=others) | Q(
        challenged=user_id, challenger__in=others
    )
    lately = Q(ladder=ladder, settled_at__isnull=False, final_at__gt=at - limits.PAIR_REST)
    playing: set[int] = set()
    rested: set[int] = set()
    rows = Challenge.objects.filter(both).filter(RUNNING | lately)
    for one, other, settled in rows.values_list("challenger", "challenged", "settled_at"):
        whom = playing if settled is None else rested
        whom.add(other if one == user_id else one)
    return playing, rested
