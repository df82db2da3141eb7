"""Lobby commands: offer, accept, decline, withdraw and prolong invitations; find an opponent.

Each command is one transaction. Optimistic lock: an invitation is closed only if it is still open,
so one of several concurrent commands succeeds. A command that fails changes nothing; it raises
Refusal with a sentence for the player, or Invitation.DoesNotExist if the user may not see the
invitation.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import F, Q

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.lobby import events, ports, refusals
from games.lobby.invitations import admission, expiry, strength
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import OPEN, Invitation, InvitationKind, InvitationStatus
from games.outbox import publishing
from games.outbox.events import Person, people
from games.people import locks
from games.people.moderation import silence
from games.people.standing import limits
from games.play.commands.matches import OfferedDeal, draw_seeds, open_match
from games.play.models.match import Match, Status, by_seat
from games.play.refusals import NotSeated
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now, now_expression
from lib.spelling import visible_text

MAX_OPEN_INVITATIONS = 20  # per player
MAX_SEATS_OF_BOT = 3  # open ones
MAX_INVITATIONS_A_DAY = 60  # per player, since each may send an e-mail, even if withdrawn at once
# Challenges a day that are not accepted, from one player to another, and to one player from all.
# Each may send an e-mail, so those that were withdrawn or declined count too.
MAX_CHALLENGES_TO_ONE = 3
MAX_CHALLENGES_TO_ANYBODY = 20
UNCONDITIONAL = Conditions()
MAX_ATTEMPTS = 3  # to offer a rematch while the opponent does the same


def offer(
    owner: User,
    terms: Terms,
    *,
    kind: InvitationKind,
    guest: User | None = None,
    note: str = "",
    rematch_of: Match | None = None,
    conditions: Conditions = UNCONDITIONAL,
    repeats: int = 0,
    words: str = "",
) -> Invitation:
    """Create an invitation, open for 14 days, and notify the challenged player (`guest`).

    `repeats`: how often an open seat is offered again after somebody has accepted it. `words` are
    the owner's for a deal (forms/words.py); in games without one they are dropped. The note becomes
    one line without what cannot be seen.
    A house opponent accepts at once, so the returned invitation has a match. Not idempotent by
    itself: the form's idempotency key catches double clicks. Raises Refusal.
    """
    if guest is not None and guest.pk == owner.pk:
        raise refusals.cannot_challenge_yourself()
    note = visible_text.one_line(note)
    with command_transaction():
        # Locks both rows, so that concurrent commands cannot exceed the limits.
        concerned = {owner.pk} if guest is None else {owner.pk, guest.pk}
        if guest is not None and guest.is_house and owner.owner_id is not None:
            concerned.add(owner.owner_id)  # They share their limits of matches against the house.
        locked = locks.lock_users(concerned)
        admission.check_offer(locked[owner.pk], guest, terms)
        if note:
            silence.check(owner)
        instant = now()
        owned = Invitation.objects.filter(owner=owner)
        if owned.filter(OPEN, expires_at__gt=instant).count() >= MAX_OPEN_INVITATIONS:
            raise refusals.too_many_open(MAX_OPEN_INVITATIONS)
        if owner.is_bot and guest is None:
            seats = owned.filter(OPEN, guest=None, expires_at__gt=instant)
            if seats.count() >= MAX_SEATS_OF_BOT:
                raise refusals.bot_has_too_many_seats(owner, MAX_SEATS_OF_BOT)
        last_day = owned.filter(created_at__gt=instant - timedelta(days=1))
        if last_day.count() >= MAX_INVITATIONS_A_DAY:
            raise refusals.too_many_today(MAX_INVITATIONS_A_DAY)
        if guest is not None and not guest.is_house:
            _refuse_flood(owner, guest, instant - timedelta(days=1))
        # Last, so that what the owner lacks is said first, whether the guest takes challenges or
        # not; and after the lock, so that no challenge crosses a block.
        if guest is not None:
            admission.check_guest(guest, owner, terms)
        invitation = Invitation.objects.create(
            **Invitation.columns_of(terms),
            **_deal_columns(terms, words),
            owner=owner,
            guest=guest,
            kind=kind,
            note=note,
            rematch_of=rematch_of,
            repeats=repeats,
            created_at=instant,
            **conditions.values(),
            **expiry.open_from(instant),
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


def _deal_columns(terms: Terms, words: str) -> dict[str, object]:
    """The columns of a new invitation about its deals, with seeds of its own."""
    seeds = draw_seeds(terms)
    if not seeds.sealed:
        return {}
    return {"seeds": seeds.sealed, "commitments": seeds.commitments, "words": words}


def accept(invitation_id: int, user: User, *, by_link: bool = False, words: str = "") -> Match:
    """Accept an invitation and open its match; returns the match, or the first match of a set.

    If several users accept at once, one succeeds. Idempotent for that user. `by_link`: the user has
    opened the private link. `words` are theirs for a deal.
    """
    invitation = _readable(invitation_id, user, by_link=by_link)
    if invitation.owner_id == user.pk:
        raise refusals.own_invitation()
    with command_transaction():
        # Locks both rows, so that acceptances at once cannot exceed the limits: each counts the
        # matches of those before. Closed first, so that a second click finds its match.
        locked = locks.lock_users((user.pk, invitation.owner_id))
        if _close(invitation, InvitationStatus.ACCEPTED, guest=user):
            invitation.owner = owner = locked[invitation.owner_id]
            if not owner.is_active or owner.closes_at:
                raise refusals.NoLongerOpen
            admission.check_acceptance(locked[user.pk], invitation)
            terms = invitation.terms
            seat = secrets.choice(list(Seat)) if terms.seat is None else terms.seat
            seats = {seat: owner, seat.other: user}
            offered = OfferedDeal(
                bytes(invitation.seeds or b""),
                invitation.commitments,
                {invitation.owner_id: invitation.words, user.pk: words},
            )
            match = open_match(terms, seats, invitation.rematch_of, offered=offered)
            Invitation.objects.filter(pk=invitation.pk).update(match=match)
            if invitation.repeats:
                _offer_again(invitation)
            return match
    invitation.refresh_from_db()
    if invitation.guest_id == user.pk and invitation.match is not None:
        return invitation.match
    raise refusals.NoLongerOpen


def find_opponent(user: User, preset: str, pace: str) -> Invitation:
    """Accept the open seat of somebody of the user's strength, or else offer one.

    Returns the invitation: with a match if it was accepted. A seat that the user offers already is
    returned instead of a second one. Raises a Refusal if the user may neither accept nor offer.
    """
    for seat in strength.seats_near(user, preset, pace):
        try:
            accept(seat.pk, user)
        except (Refusal, Invitation.DoesNotExist):
            continue  # Somebody else was faster, or the owner cannot play now.
        seat.refresh_from_db()
        return seat
    terms, conditions = strength.seat_of(user, preset, pace)
    columns = Invitation.columns_of(terms) | conditions.values()
    open_seats = Invitation.objects.offered_by(user).filter(kind=InvitationKind.SEAT, **columns)
    own = open_seats.first()
    return own or offer(user, terms, kind=InvitationKind.SEAT, conditions=conditions)


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
    period = expiry.open_from(instant)
    still_open = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__gt=instant)
    if not still_open.update(**period, prolonged=F("prolonged") + 1):
        _refuse_unless(None, invitation)
    return period["expires_at"]


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
        if expiry.expire(rematch_offer):
            continue
        if rematch_offer.status == InvitationStatus.OPEN and rematch_offer.owner_id != user.pk:
            accept(rematch_offer.pk, user)
            rematch_offer.refresh_from_db()
        return rematch_offer
    raise refusals.NoLongerOpen


def separate(owner: User, blocked: User) -> None:
    """Close the open challenges between a user and one whom they block.

    Their own, to the other and the other's bots, are withdrawn, those of the other are declined.
    """
    bots = Q(guest__owner=blocked)
    for invitation in Invitation.objects.filter(OPEN, Q(guest=blocked) | bots, owner=owner):
        _close(invitation, InvitationStatus.WITHDRAWN)
    for invitation in Invitation.objects.filter(OPEN, owner=blocked, guest=owner):
        _decline(invitation)


def erase_player(user: User) -> None:
    """Withdraw the invitations of an erased user, decline their challenges, delete messages."""
    close_invitations(user)
    own = Invitation.objects.filter(owner=user)
    own.exclude(note="", repeats=0, words="").update(note="", repeats=0, words="")


def close_invitations(user: User) -> None:
    """Withdraw a user's invitations and decline the challenges to them."""
    for invitation in Invitation.objects.filter(OPEN, owner=user):
        _close(invitation, InvitationStatus.WITHDRAWN)
    for invitation in Invitation.objects.filter(OPEN, guest=user):
        _decline(invitation)


def _offer_again(invitation: Invitation) -> None:
    """Offer a standing seat once more, in the transaction in which it was accepted.

    Not while its owner may have no further match; without its message while they are silenced.
    """
    try:
        limits.check_cap_of(invitation.owner, 2 if invitation.as_set else 1)
    except (limits.OverTheCap, limits.BotLimit):
        return
    instant = now()
    Invitation.objects.create(
        **Invitation.columns_of(invitation.terms),
        **_deal_columns(invitation.terms, invitation.words),
        owner=invitation.owner,
        kind=invitation.kind,
        note="" if silence.is_silenced(invitation.owner) else invitation.note,
        repeats=invitation.repeats - 1,
        repeat_of_id=invitation.repeat_of_id or invitation.pk,
        created_at=instant,
        **Conditions.of_invitation(invitation).values(),
        **expiry.open_from(instant),
    )


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
