"""Lobby commands: offer, accept, decline, withdraw and prolong invitations; the expiry sweep.

Each command is one transaction. Optimistic lock: whatever closes an invitation updates it only if
it is still open, so of several commands at the same time one succeeds. A command that fails has
changed nothing and raises Refusal with a sentence for the player, or Invitation.DoesNotExist if the
user may not see the invitation.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import F

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.lobby import events, ports, refusals
from games.lobby.models import (
    EXPIRY_WARNING,
    INVITATION_LIFETIME,
    OPEN,
    Invitation,
    InvitationKind,
    InvitationQuerySet,
    InvitationStatus,
)
from games.outbox import publishing
from games.outbox.events import Person, people
from games.play.commands.matches import open_match
from games.play.models.match import Match, Status, by_seat
from games.play.refusals import NotSeated
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now, now_expression

MAX_OPEN_INVITATIONS = 20  # of one player
MAX_INVITATIONS_A_DAY = 60  # of one player; each may send an e-mail, even if withdrawn at once
MAX_ATTEMPTS = 3
BATCH_ROWS = 100  # read by the sweep at a time


def offer(
    owner: User,
    terms: Terms,
    *,
    kind: InvitationKind,
    guest: User | None = None,
    note: str = "",
    rematch_of: Match | None = None,
) -> Invitation:
    """Make an invitation, open for 14 days; a challenged player (`guest`) is notified.

    A house opponent accepts at once: the invitation has its match then. Not idempotent by itself:
    the form's idempotency key catches double clicks. Raises Refusal.
    """
    if guest is not None and guest.pk == owner.pk:
        raise refusals.cannot_challenge_yourself()
    if guest is not None and (guest.pending or not guest.is_active):
        raise refusals.not_playing(guest)
    with command_transaction():
        # Locks the owner's row, so that concurrent offers cannot exceed the limits.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        instant = now()
        mine = Invitation.objects.filter(owner=owner)
        if mine.filter(OPEN, expires_at__gt=instant).count() >= MAX_OPEN_INVITATIONS:
            raise refusals.too_many_open(MAX_OPEN_INVITATIONS)
        if mine.filter(created_at__gt=instant - timedelta(days=1)).count() >= MAX_INVITATIONS_A_DAY:
            raise refusals.too_many_today(MAX_INVITATIONS_A_DAY)
        invitation = Invitation.objects.create(
            **Invitation.columns_of(terms),
            owner=owner,
            guest=guest,
            kind=kind,
            note=note,
            rematch_of=rematch_of,
            created_at=instant,
            **_life(instant),
        )
        if guest is not None:
            challenged = events.Challenged(invitation=invitation.pk, people=people([guest]))
            publishing.publish(challenged)
            if guest.is_house:
                ports.house_accepts.one(invitation)
                invitation.refresh_from_db()
    return invitation


def accept(invitation_id: int, user: User, *, by_link: bool = False) -> Match:
    """Accept an invitation and open the match; of several users who accept, one succeeds.

    Idempotent for that user. `by_link`: the caller has opened the private link. Returns the match,
    of a set the first.
    """
    invitation = _readable(invitation_id, user, by_link=by_link)
    if invitation.owner_id == user.pk:
        raise refusals.own_invitation()
    if not invitation.owner.is_active:
        raise refusals.NoLongerOpen
    with command_transaction():
        if _close(invitation, InvitationStatus.ACCEPTED, guest=user):
            terms = invitation.terms
            seat = secrets.choice(list(Seat)) if terms.seat is None else terms.seat
            seats = {seat: invitation.owner, seat.other: user}
            match = open_match(terms, seats, invitation.rematch_of)
            Invitation.objects.filter(pk=invitation.pk).update(match=match)
            return match
    invitation.refresh_from_db()
    if invitation.guest_id == user.pk and invitation.match is not None:
        return invitation.match
    raise refusals.NoLongerOpen


def decline(invitation_id: int, user: User) -> None:
    """Decline a challenge; its owner is notified. Idempotent."""
    invitation = _readable(invitation_id, user)
    if invitation.kind != InvitationKind.CHALLENGE or invitation.guest_id != user.pk:
        raise refusals.guest_only()
    if not _decline(invitation):
        _refuse_unless(InvitationStatus.DECLINED, invitation)


def withdraw(invitation_id: int, user: User) -> None:
    """Withdraw one's own invitation. Idempotent."""
    invitation = _own(invitation_id, user)
    if not _close(invitation, InvitationStatus.WITHDRAWN):
        _refuse_unless(InvitationStatus.WITHDRAWN, invitation)


def prolong(invitation_id: int, user: User) -> datetime:
    """Prolong one's own invitation to 14 days from now; returns the new expiry."""
    invitation = _own(invitation_id, user)
    instant = now()
    life = _life(instant)
    open_still = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=instant)
    if not open_still.update(**life, prolonged=F("prolonged") + 1):
        _refuse_unless(None, invitation)
    return life["expires_at"]


def rematch(match_id: int, user: User) -> Invitation:
    """Offer a rematch on the same terms with seats swapped, or accept the opponent's offer of it.

    A match has one rematch, also if both players ask at once (unique constraint). The rematch of a
    set is another set, offered at either match once both are over. Raises Match.DoesNotExist.
    """
    match = Match.objects.select_related("twin").get(pk=match_id)
    players = by_seat(match)
    seat = next((seat for seat, player in players.items() if player.user_id == user.pk), None)
    if seat is None:
        raise NotSeated
    if match.status != Status.FINISHED:
        raise refusals.not_finished()
    if match.twin is not None and match.twin.is_live:
        raise refusals.set_not_finished()
    # The rematch of a set is stored at its first match.
    first_match = match if match.twin is None or match.pk < match.twin.pk else match.twin
    for _ in range(MAX_ATTEMPTS):
        rematch_offer = Invitation.objects.filter(
            rematch_of=first_match, status__in=[InvitationStatus.OPEN, InvitationStatus.ACCEPTED]
        ).first()
        if rematch_offer is None:
            try:
                return offer(
                    user,
                    replace(match.terms, seat=seat.other),
                    kind=InvitationKind.CHALLENGE,
                    guest=players[seat.other].user,
                    rematch_of=first_match,
                )
            except IntegrityError:
                continue  # The opponent has just offered it.
        if _expire(rematch_offer):
            continue
        if rematch_offer.status == InvitationStatus.OPEN and rematch_offer.owner_id != user.pk:
            accept(rematch_offer.pk, user)
            rematch_offer.refresh_from_db()
        return rematch_offer
    raise refusals.NoLongerOpen


def erase_player(user: User) -> None:
    """Erasure of a user: withdraws invitations, declines challenges, deletes messages."""
    for invitation in Invitation.objects.filter(OPEN, owner=user):
        _close(invitation, InvitationStatus.WITHDRAWN)
    for invitation in Invitation.objects.filter(OPEN, guest=user):
        _decline(invitation)
    Invitation.objects.filter(owner=user).exclude(note="").update(note="")


def sweep() -> int:
    """Close expired invitations and warn owners of those about to expire; how many were notified.

    Idempotent, also when several run at once.
    """
    return _each(Invitation.objects.filter(OPEN).order_by("expires_at"), "expires_at", _expire) + (
        _each(Invitation.objects.filter(OPEN).order_by("warn_at"), "warn_at", _warn)
    )


def _each(waiting: InvitationQuerySet, column: str, act: Callable[[Invitation], bool]) -> int:
    """Run `act` on each row whose `column` has passed, batch by batch; how many it acted on."""
    notified = 0
    while due := list(waiting.filter(**{f"{column}__lte": now_expression()})[:BATCH_ROWS]):
        notified += sum(act(invitation) for invitation in due)
    return notified


def _expire(invitation: Invitation) -> bool:
    """Close an expired invitation and notify its owner; False if it is not expired or not open."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__lte=now_expression())
    with command_transaction():
        if not due.update(
            status=InvitationStatus.EXPIRED, closed_at=now_expression(), warn_at=None
        ):
            return False
        owner = (Person(invitation.owner_id),)
        publishing.publish(events.InvitationExpired(invitation=invitation.pk, people=owner))
    return True


def _warn(invitation: Invitation) -> bool:
    """Notify the owner that the invitation will expire; False if that was done before."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, warn_at__lte=now_expression())
    with command_transaction():
        if not due.update(warn_at=None):
            return False
        publishing.publish(
            events.InvitationExpiresSoon(
                invitation=invitation.pk,
                prolonged=invitation.prolonged,
                people=(Person(invitation.owner_id),),
            )
        )
    return True


def _life(start: datetime) -> dict[str, datetime]:
    return {
        "expires_at": start + INVITATION_LIFETIME,
        "warn_at": start + INVITATION_LIFETIME - EXPIRY_WARNING,
    }


def _close(invitation: Invitation, status: InvitationStatus, **facts: object) -> bool:
    """Optimistic lock: close an invitation if it is still open; False if it is not.

    The conditions use columns of this row only. A database that had to wait for another transaction
    checks those again afterwards, but not a subquery.
    """
    still = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=now_expression())
    return bool(still.update(status=status, closed_at=now_expression(), warn_at=None, **facts))


def _decline(invitation: Invitation) -> bool:
    with command_transaction():
        if not _close(invitation, InvitationStatus.DECLINED):
            return False
        owner = (Person(invitation.owner_id),)
        publishing.publish(events.InvitationDeclined(invitation=invitation.pk, people=owner))
    return True


def _readable(invitation_id: int, user: User, *, by_link: bool = False) -> Invitation:
    """An invitation that this user may see; raises Invitation.DoesNotExist."""
    invitation: Invitation = Invitation.objects.select_related("owner", "rematch_of").get(
        pk=invitation_id
    )
    if not invitation.is_readable_by(user, by_link=by_link):
        raise Invitation.DoesNotExist
    return invitation


def _own(invitation_id: int, user: User) -> Invitation:
    invitation = _readable(invitation_id, user)
    if invitation.owner_id != user.pk:
        raise refusals.owner_only(invitation.owner)
    return invitation


def _refuse_unless(wanted: InvitationStatus | None, invitation: Invitation) -> None:
    """Return if the invitation already has the status `wanted`; else raise the fitting refusal."""
    invitation.refresh_from_db()
    if invitation.status == wanted:
        return
    if invitation.status == InvitationStatus.ACCEPTED and invitation.guest is not None:
        raise refusals.begun(invitation.guest)
    raise refusals.NoLongerOpen
