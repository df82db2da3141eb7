"""Lobby commands: offer, accept, decline, withdraw and prolong invitations; the expiry sweep.

Each command is one transaction. Optimistic lock: an invitation is closed only if it is still open,
so one of several concurrent commands succeeds. A command that fails changes nothing; it raises
Refusal with a sentence for the player, or Invitation.DoesNotExist if the user may not see the
invitation.
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
from games.lobby import admission, events, ports, refusals
from games.lobby.models import (
    EXPIRY_WARNING,
    INVITATION_LIFETIME,
    OPEN,
    Invitation,
    InvitationKind,
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

MAX_OPEN_INVITATIONS = 20  # per player
MAX_INVITATIONS_A_DAY = 60  # per player, since each may send an e-mail, even if withdrawn at once
# Challenges a day that are not accepted, from one player to another, and to one player from all.
# Each may send an e-mail, so those that were withdrawn or declined count too.
MAX_CHALLENGES_TO_ONE = 3
MAX_CHALLENGES_TO_ANYBODY = 20
MAX_ATTEMPTS = 3  # to offer a rematch while the opponent does the same
BATCH_ROWS = 100  # of the sweep


def offer(
    owner: User,
    terms: Terms,
    *,
    kind: InvitationKind,
    guest: User | None = None,
    note: str = "",
    rematch_of: Match | None = None,
) -> Invitation:
    """Create an invitation, open for 14 days, and notify the challenged player (`guest`).

    A house opponent accepts at once, so the returned invitation has a match. Not idempotent by
    itself: the form's idempotency key catches double clicks. Raises Refusal.
    """
    if guest is not None and guest.pk == owner.pk:
        raise refusals.cannot_challenge_yourself()
    if guest is not None and (guest.pending or not guest.is_active or guest.closes_at):
        raise refusals.not_playing(guest)
    admission.check_offer(owner, guest, terms)
    with command_transaction():
        # Locks both rows, so that concurrent offers cannot exceed the limits.
        people_concerned = [person.pk for person in (owner, guest) if person is not None]
        locked = User.objects.select_for_update(no_key=True).filter(pk__in=people_concerned)
        list(locked.order_by("pk").values_list("pk"))
        instant = now()
        owned = Invitation.objects.filter(owner=owner)
        if owned.filter(OPEN, expires_at__gt=instant).count() >= MAX_OPEN_INVITATIONS:
            raise refusals.too_many_open(MAX_OPEN_INVITATIONS)
        last_day = owned.filter(created_at__gt=instant - timedelta(days=1))
        if last_day.count() >= MAX_INVITATIONS_A_DAY:
            raise refusals.too_many_today(MAX_INVITATIONS_A_DAY)
        if guest is not None and not guest.is_house:
            _refuse_flood(owner, guest, instant - timedelta(days=1))
        invitation = Invitation.objects.create(
            **Invitation.columns_of(terms),
            owner=owner,
            guest=guest,
            kind=kind,
            note=note,
            rematch_of=rematch_of,
            created_at=instant,
            **_expiry(instant),
        )
        if guest is not None:
            challenged = events.Challenged(invitation=invitation.pk, people=people([guest]))
            publishing.publish(challenged)
            if guest.is_house:
                ports.house_accepts.one(invitation)
                invitation.refresh_from_db()
    return invitation


def _refuse_flood(owner: User, guest: User, since: datetime) -> None:
    """Raise TooMany if too many challenges reached the guest since then and were not accepted."""
    challenges = Invitation.objects.filter(
        guest=guest, created_at__gt=since, kind=InvitationKind.CHALLENGE
    ).exclude(status=InvitationStatus.ACCEPTED)
    if challenges.filter(owner=owner).count() >= MAX_CHALLENGES_TO_ONE:
        raise refusals.too_many_to_one(guest, MAX_CHALLENGES_TO_ONE)
    if challenges.count() >= MAX_CHALLENGES_TO_ANYBODY:
        raise refusals.too_many_to_anybody(guest)


def accept(invitation_id: int, user: User, *, by_link: bool = False) -> Match:
    """Accept an invitation and open its match; returns the match, or the first match of a set.

    If several users accept at once, one succeeds. Idempotent for that user. `by_link`: the user has
    opened the private link.
    """
    invitation = _readable(invitation_id, user, by_link=by_link)
    if invitation.owner_id == user.pk:
        raise refusals.own_invitation()
    if not invitation.owner.is_active or invitation.owner.closes_at:
        raise refusals.NoLongerOpen
    if invitation.status == InvitationStatus.OPEN:
        admission.check_acceptance(user, invitation.owner, invitation.terms)
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
    """Decline a challenge and notify its owner. Idempotent."""
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
    expiry = _expiry(instant)
    still_open = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=instant)
    if not still_open.update(**expiry, prolonged=F("prolonged") + 1):
        _refuse_unless(None, invitation)
    return expiry["expires_at"]


def rematch(match_id: int, user: User) -> Invitation:
    """Offer a rematch on the same terms with seats swapped, or accept the opponent's offer.

    A match has at most one rematch, even if both players ask at once (unique constraint). The
    rematch of a set is another set; either match may be given when both are over. Raises Refusal or
    Match.DoesNotExist.
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
                guest = players[seat.other].user
                terms = replace(match.terms, seat=seat.other)
                rated = terms.rated and admission.may_be_rated(terms, user, guest)
                return offer(
                    user,
                    replace(terms, rated=rated),
                    kind=InvitationKind.CHALLENGE,
                    guest=guest,
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
    """Withdraw the invitations of an erased user, decline their challenges, delete messages."""
    close_invitations(user)
    own = Invitation.objects.filter(owner=user)
    own.exclude(note="", repeats=0).update(note="", repeats=0)


def close_invitations(user: User) -> None:
    """Withdraw a user's invitations and decline the challenges to them."""
    for invitation in Invitation.objects.filter(OPEN, owner=user):
        _close(invitation, InvitationStatus.WITHDRAWN)
    for invitation in Invitation.objects.filter(OPEN, guest=user):
        _decline(invitation)


def sweep() -> int:
    """Close expired invitations, and warn owners of those about to expire.

    Returns how many owners were notified. Idempotent, also when sweeps overlap.
    """
    return _for_each_due("expires_at", _expire) + _for_each_due("warn_at", _warn)


def _for_each_due(column: str, act: Callable[[Invitation], bool]) -> int:
    """Run `act` on each open invitation whose `column` has passed, in batches.

    Returns how many times `act` returned True.
    """
    rows = Invitation.objects.filter(OPEN).order_by(column)
    notified = 0
    while due := list(rows.filter(**{f"{column}__lte": now_expression()})[:BATCH_ROWS]):
        notified += sum(act(invitation) for invitation in due)
    return notified


def _expire(invitation: Invitation) -> bool:
    """Close an expired invitation and notify its owner; False if not expired or not open."""
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
    """Notify the owner that an invitation will expire; False if already done or not due."""
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


def _expiry(start: datetime) -> dict[str, datetime]:
    """The column values of an invitation that is open from `start`."""
    return {
        "expires_at": start + INVITATION_LIFETIME,
        "warn_at": start + INVITATION_LIFETIME - EXPIRY_WARNING,
    }


def _close(invitation: Invitation, status: InvitationStatus, **columns: object) -> bool:
    """Optimistic lock: close an invitation if it is still open; False if it is not.

    The conditions use only columns of this row. After waiting for another transaction, PostgreSQL
    evaluates such conditions again, but not a subquery.
    """
    still_open = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=now_expression())
    return bool(
        still_open.update(status=status, closed_at=now_expression(), warn_at=None, **columns)
    )


def _decline(invitation: Invitation) -> bool:
    with command_transaction():
        if not _close(invitation, InvitationStatus.DECLINED):
            return False
        owner = (Person(invitation.owner_id),)
        publishing.publish(events.InvitationDeclined(invitation=invitation.pk, people=owner))
    return True


def _readable(invitation_id: int, user: User, *, by_link: bool = False) -> Invitation:
    """An invitation if this user may see it; otherwise raises Invitation.DoesNotExist."""
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
    """Return if the invitation already has the status `wanted`; otherwise raise a Refusal."""
    invitation.refresh_from_db()
    if invitation.status == wanted:
        return
    if invitation.status == InvitationStatus.ACCEPTED and invitation.guest is not None:
        raise refusals.begun(invitation.guest)
    raise refusals.NoLongerOpen
