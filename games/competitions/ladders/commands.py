"""Commands of players: join a ladder, leave it, challenge a member.

Each is one transaction under the lock on the ladder's row, done whole or not at all. A command that
fails raises Refusal with a sentence for the player, or Ladder.DoesNotExist.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from games.competitions.ladders import admission, departures, limits, refusals
from games.competitions.ladders.locks import locked
from games.competitions.ladders.models import Challenge, Change, Going, Ladder, Member, Why
from games.idempotency.replay import command_transaction
from games.lobby.invitations.admission import may_be_rated
from games.play.commands.matches import open_match
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User
    from games.play.models.match import Match


def join(family: str, user: User) -> Member:
    """Join the ladder of a game at its foot. Idempotent."""
    with command_transaction():
        ladder = locked([user.pk], family=family)
        at = now()
        member = Member.objects.filter(ladder=ladder, user=user).first()
        if member is not None:
            if member.going:
                raise refusals.still_going()
            return member
        admission.check_joining(ladder, user, at)
        place = Member.last_place(ladder) + 1
        member = Member.objects.create(
            ladder=ladder,
            user=user,
            place=place,
            joined_at=at,
            check_at=at + limits.IDLE_WARNING,
        )
        Change.objects.create(ladder=ladder, at=at, user=user, to_place=place, why=Why.JOINED)
    return member


def leave(family: str, user: User) -> bool:
    """Leave a ladder: at once, or once one's running challenges are final. Idempotent.

    Returns whether the user is off it by now.
    """
    with command_transaction():
        ladder = locked([user.pk], family=family)
        member = Member.objects.filter(ladder=ladder, user=user).first()
        if member is None:
            raise refusals.not_a_member()
        return departures.send_off(member, Going.LEFT, now())


def challenge(family: str, user: User, handle: str) -> Match:
    """Challenge a member by username; returns the match that this opens, of a set the first.

    The sides are drawn. If the two may not play a rated match now, it is friendly.
    """
    with command_transaction():
        named = Member.objects.filter(ladder__family=family, user__username__iexact=handle)
        other_id = named.values_list("user", flat=True).first()
        # Both, since two challenges on two ladders may concern the same two players.
        ladder = locked({user.pk, other_id or user.pk}, family=family)
        at = now()
        rows = Member.objects.filter(ladder=ladder, user__in=(user.pk, other_id))
        members = {member.user_id: member for member in rows.select_related("user")}
        me = members.get(user.pk)
        if refusal := admission.own_obstacle(ladder, me, user.pk, at):
            raise refusal
        assert me is not None  # noqa: S101 - own_obstacle refuses users who are no members
        other = None if other_id is None else members.get(other_id)
        if other is None:
            raise refusals.nobody_there(handle)
        if refusal := admission.obstacles(ladder, me, [other], at).get(other.user_id):
            raise refusal
        match = _open(ladder, me.user, other.user)
        Challenge.objects.create(
            ladder=ladder, match=match, challenger=me.user, challenged=other.user, opened_at=at
        )
    return match


def _open(ladder: Ladder, challenger: User, challenged: User) -> Match:
    terms = ladder.terms
    rated = terms.rated and may_be_rated(terms, challenger, challenged)
    seat = secrets.choice(list(Seat))
    seats = {seat: challenger, seat.other: challenged}
    return open_match(replace(terms, rated=rated), seats, event=ladder.event_key)
