"""Everything that changes an invitation. Each command is one transaction, done whole or not at all.

What is open is settled once: every command that ends an invitation writes under the condition
that it is still open, and of several that come at the same time one finds it so. A command that
cannot be done raises Refusal with a sentence for the player, Invitation.DoesNotExist to whoever may
not know of the invitation, and has then done nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import F

from accounts.models import User
from games.lobby import refusals
from games.lobby.models import LIFE, OPEN, WARNING, Invitation, InvitationQuerySet, Kind, Status
from games.play import clock
from games.play.commands import open_match, open_set
from games.play.models.match import Match, by_seat
from games.play.models.match import Status as MatchStatus
from games.play.refusals import NotSeated
from games.relay import outbox
from games.relay.moment import now, present
from games.relay.once import deed
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.switches import Value

LIMIT = 20  # invitations of one player that may be open
LIMIT_A_DAY = 60  # each may send somebody a letter, even if it is withdrawn at once
TWICE = timedelta(seconds=10)  # the same again within this time is a double click
TRIES = 3
BATCH = 100  # rows


def offer(
    owner: User,
    *,
    kind: Kind,
    preset: str,
    pace: str,
    setup_pace: str,
    switches: Mapping[str, Value] | None = None,
    seat: Seat | None = None,
    as_set: bool = False,
    guest: User | None = None,
    soft: bool = False,
    vacations: bool = False,
    note: str = "",
    rematch_of: Match | None = None,
) -> Invitation:
    """A new invitation, open for 14 days; the challenged player is told.

    `seat` is the owner's, None for a lot drawn at acceptance; `guest` is for a challenge.
    Switches that make another preset are offered as that one. Sending the same once more is
    answered with the first: a double click offers once.
    """
    preset, switches = registry.settle(preset, switches or {})
    clock.parse(pace)
    if clock.parse(setup_pace).bank is None:
        raise ValueError("A set-up needs a limit of its own.")
    if guest is not None and guest.pk == owner.pk:
        raise refusals.yourself()
    if guest is not None and (guest.pending or not guest.is_active):
        raise refusals.not_here(guest)
    terms = {
        "kind": kind,
        "guest": guest,
        "preset": preset,
        "switches": switches,
        "seat": seat,
        "as_set": as_set,
        "pace": pace,
        "setup_pace": setup_pace,
        "soft": soft,
        "vacations": vacations,
        "note": note,
        "rematch_of": rematch_of,
    }
    with deed():
        # One offer of a player at a time, so that the limits count.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        instant = now()
        mine = Invitation.objects.filter(owner=owner)
        again = mine.filter(OPEN, created_at__gt=instant - TWICE, **terms).first()
        if again is not None:
            return again
        if mine.filter(OPEN, expires_at__gt=instant).count() >= LIMIT:
            raise refusals.too_many_open(LIMIT)
        if mine.filter(created_at__gt=instant - timedelta(days=1)).count() >= LIMIT_A_DAY:
            raise refusals.too_many_today(LIMIT_A_DAY)
        invitation = Invitation.objects.create(
            owner=owner, created_at=instant, **terms, **_life(instant)
        )
        if guest is not None:
            outbox.post("challenged", user=guest.pk, invitation=invitation.pk)
    return invitation


def accept(invitation_id: int, user: User, *, by_link: bool = False) -> Match:
    """Begin the match; of all who accept, one does. `by_link`: the caller holds the private link.

    Whoever accepted it already gets the match that began then.
    """
    invitation = _known(invitation_id, user, by_link=by_link)
    if invitation.owner_id == user.pk:
        raise refusals.own_invitation()
    if not invitation.owner.is_active:
        raise refusals.NoLongerOpen
    with deed():
        if _settle(invitation, Status.ACCEPTED, guest=user):
            seat = Seat(secrets.choice(list(Seat)) if invitation.seat is None else invitation.seat)
            match = _begin(invitation, {seat: invitation.owner, seat.other: user})
            Invitation.objects.filter(pk=invitation.pk).update(match=match)
            return match
    invitation.refresh_from_db()
    if invitation.guest_id == user.pk and invitation.match is not None:
        return invitation.match
    raise refusals.NoLongerOpen


def _begin(invitation: Invitation, seats: dict[Seat, User]) -> Match:
    """Open what was agreed; of a set, the first match."""
    terms: dict[str, Any] = {
        "preset": invitation.preset,
        "switches": invitation.switches,
        "seats": seats,
        "pace": invitation.pace,
        "setup_pace": invitation.setup_pace,
        "soft": invitation.soft,
        "vacations": invitation.vacations,
        "rematch_of": invitation.rematch_of,
    }
    return open_set(**terms)[0] if invitation.as_set else open_match(**terms)


def decline(invitation_id: int, user: User) -> None:
    """Turn a challenge down; its owner is told."""
    invitation = _known(invitation_id, user)
    if invitation.kind != Kind.CHALLENGE or invitation.guest_id != user.pk:
        raise refusals.guest_only()
    if not _decline(invitation):
        _refuse_unless(Status.DECLINED, invitation)


def withdraw(invitation_id: int, user: User) -> None:
    """Take an own invitation back."""
    invitation = _own(invitation_id, user)
    if not _settle(invitation, Status.WITHDRAWN):
        _refuse_unless(Status.WITHDRAWN, invitation)


def prolong(invitation_id: int, user: User) -> datetime:
    """Keep an own invitation open for another 14 days, from now; until when that is."""
    invitation = _own(invitation_id, user)
    instant = now()
    life = _life(instant)
    open_still = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=instant)
    if not open_still.update(**life, prolonged=F("prolonged") + 1):
        _refuse_unless(None, invitation)
    return life["expires_at"]


def rematch(match_id: int, user: User) -> Invitation:
    """Offer the same match with seats exchanged, or accept the opponent's offer of the same.

    A match has one rematch: pressing twice, or both at once, makes one. Of a set of two the rematch
    is another set, asked for at either match once both are over. Raises Match.DoesNotExist.
    """
    match = Match.objects.select_related("twin").get(pk=match_id)
    players = by_seat(match)
    seat = next((seat for seat, player in players.items() if player.user_id == user.pk), None)
    if seat is None:
        raise NotSeated
    if match.status != MatchStatus.FINISHED:
        raise refusals.not_finished()
    if match.twin is not None and match.twin.is_live:
        raise refusals.set_not_finished()
    # A set is known by its first match.
    anchor = match if match.twin is None or match.pk < match.twin.pk else match.twin
    for _ in range(TRIES):
        standing = Invitation.objects.filter(
            rematch_of=anchor, status__in=[Status.OPEN, Status.ACCEPTED]
        ).first()
        if standing is None:
            try:
                return offer(
                    user,
                    kind=Kind.CHALLENGE,
                    guest=players[seat.other].user,
                    preset=match.preset,
                    switches=match.switches,
                    seat=seat.other,
                    as_set=match.twin is not None,
                    pace=match.pace,
                    setup_pace=match.setup_pace,
                    soft=match.soft,
                    vacations=match.vacations,
                    rematch_of=anchor,
                )
            except IntegrityError:
                continue  # The opponent's offer came at the same time.
        if _expire(standing):
            continue
        if standing.status == Status.OPEN and standing.owner_id != user.pk:
            accept(standing.pk, user)
            standing.refresh_from_db()
        return standing
    raise refusals.NoLongerOpen


def leave(user: User) -> None:
    """Settle what is open for somebody who is going for good, and forget what they wrote."""
    for invitation in Invitation.objects.filter(OPEN, owner=user):
        _settle(invitation, Status.WITHDRAWN)
    for invitation in Invitation.objects.filter(OPEN, guest=user):
        _decline(invitation)
    Invitation.objects.filter(owner=user).exclude(note="").update(note="")


def sweep() -> int:
    """Close what has expired and warn of what soon will; how many owners were told.

    It may be called at any time, any number of times, and by several at once.
    """
    return _each(Invitation.objects.filter(OPEN).order_by("expires_at"), "expires_at", _expire) + (
        _each(Invitation.objects.filter(OPEN).order_by("warn_at"), "warn_at", _warn)
    )


def _each(waiting: InvitationQuerySet, column: str, act: Callable[[Invitation], bool]) -> int:
    """Do to each whose instant has come what is due; each in a transaction of its own."""
    told = 0
    while due := list(waiting.filter(**{f"{column}__lte": present()})[:BATCH]):
        told += sum(act(invitation) for invitation in due)
    return told


def _expire(invitation: Invitation) -> bool:
    """Close an invitation whose time is over; False if it is not."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__lte=present())
    with deed():
        if not due.update(status=Status.EXPIRED, settled_at=present(), warn_at=None):
            return False
        outbox.post("invitation-expired", user=invitation.owner_id, invitation=invitation.pk)
    return True


def _warn(invitation: Invitation) -> bool:
    """Tell the owner that the end is near; False if that has been done."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, warn_at__lte=present())
    with deed():
        if not due.update(warn_at=None):
            return False
        outbox.post(
            "invitation-stale",
            user=invitation.owner_id,
            invitation=invitation.pk,
            prolonged=invitation.prolonged,
        )
    return True


def _life(start: datetime) -> dict[str, datetime]:
    return {"expires_at": start + LIFE, "warn_at": start + LIFE - WARNING}


def _settle(invitation: Invitation, status: Status, **facts: object) -> bool:
    """End an open invitation; False if it is not open any more.

    The conditions are the row's own columns and nothing else: a database that waited here for
    another transaction looks at those again, and not into a subquery.
    """
    still = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=present())
    return bool(still.update(status=status, settled_at=present(), warn_at=None, **facts))


def _decline(invitation: Invitation) -> bool:
    with deed():
        if not _settle(invitation, Status.DECLINED):
            return False
        outbox.post("invitation-declined", user=invitation.owner_id, invitation=invitation.pk)
    return True


def _known(invitation_id: int, user: User, *, by_link: bool = False) -> Invitation:
    """An invitation that this user may know of."""
    invitation: Invitation = Invitation.objects.select_related("owner", "rematch_of").get(
        pk=invitation_id
    )
    if not invitation.is_readable_by(user, by_link=by_link):
        raise Invitation.DoesNotExist
    return invitation


def _own(invitation_id: int, user: User) -> Invitation:
    invitation = _known(invitation_id, user)
    if invitation.owner_id != user.pk:
        raise refusals.owner_only(invitation.owner)
    return invitation


def _refuse_unless(wanted: Status | None, invitation: Invitation) -> None:
    """Nothing to say if it has become what was wanted; else why it cannot be that any more."""
    invitation.refresh_from_db()
    if invitation.status == wanted:
        return
    if invitation.status == Status.ACCEPTED and invitation.guest is not None:
        raise refusals.begun(invitation.guest)
    raise refusals.NoLongerOpen
