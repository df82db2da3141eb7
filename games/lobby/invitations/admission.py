"""Who may offer or accept which invitation: caps, bars, conditions, what a rated match needs.

Refusals name what the reader lacks first, and only then what their opponent lacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.lobby import refusals
from games.lobby.invitations.candidates import Candidate
from games.lobby.invitations.conditions import Conditions
from games.people.blocking import challenges
from games.people.standing import limits
from games.ratings import eligibility
from games.ratings.eligibility import NotRateable
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User
    from games.lobby.models import Invitation
    from games.play.terms import Terms


class PlayingOutOfIt(Refusal):
    """A player has a live match out of this standing seat."""


def check_offer(owner: User, guest: User | None, terms: Terms) -> None:
    """Raise a Refusal for what the owner of an offer or its terms lack, for any guest."""
    limits.check_staying(owner)
    if guest is not None and guest.is_house:
        if terms.rated:
            raise _computer_is_not_rated()
        if owner.is_bot:
            limits.check_cap_of(owner, _matches(terms))
        return
    limits.check_cap_of(owner, _matches(terms))
    _check_bots(owner, guest, terms)
    if terms.rated:
        limits.check_bar(owner.pk)
        eligibility.check_terms(terms)


def check_guest(guest: User, owner: User, terms: Terms) -> None:
    """Raise a Refusal if `guest` takes no challenge from `owner`, or none on these terms."""
    if guest.is_bot:
        limits.check_cap_of(guest, _matches(terms))
    if not challenges.takes_challenges(guest, owner):
        raise refusals.takes_no_challenges(guest)
    if terms.rated:
        eligibility.check_pair(owner.pk, guest.pk, terms.rules.family)
        _check_other(guest)


def check_acceptance(guest: User, invitation: Invitation) -> None:
    """Raise a Refusal if `guest` may not accept an invitation, which stays open."""
    limits.check_staying(guest)
    owner = invitation.owner
    if guest.is_house or owner.is_house:
        return
    for user in (guest, owner):
        if user.is_bot:
            limits.check_cap_of(user, _matches(invitation))
    refusal = why_not(Candidate.of_user(guest.pk, now(), is_bot=guest.is_bot), invitation)
    if refusal is not None:
        raise refusal
    if invitation.rated:
        eligibility.check_terms(invitation.terms)
        _check_other(owner)


def why_not(reader: Candidate, invitation: Invitation) -> Refusal | None:
    """Why a reader may not accept an invitation of somebody else; None if they may.

    Makes no query. `Candidate.may_take` is the same as a condition of a query.
    """
    family = invitation.rules.family
    if reader.live + _matches(invitation) > reader.most:
        return limits.over_the_cap(reader.most)
    if invitation.rated and reader.is_bot:
        return _bots_are_not_rated()
    if invitation.rated and reader.barred_since is not None:
        return limits.barred()
    unmet = Conditions.of_invitation(invitation).unmet_by(reader, family)
    if unmet is not None:
        return unmet
    if invitation.repeat_of_id in reader.playing_out_of:
        return PlayingOutOfIt(
            gettext_noop(
                "You already play a match out of this standing seat. You can take it again once "
                "that match is over."
            )
        )
    return reader.full_with.get((family, invitation.owner_id)) if invitation.rated else None


def may_be_rated(terms: Terms, one: User, other: User | None) -> bool:
    """Whether a match on these terms may be rated now, of these two or with anybody."""
    users = [user for user in (one, other) if user is not None]
    if any(user.is_house or user.is_bot for user in users):
        return False
    try:
        eligibility.check_terms(terms)
        if other is not None:
            eligibility.check_pair(one.pk, other.pk, terms.rules.family)
    except NotRateable:
        return False
    return all(limits.barred_since(user.pk) is None for user in users)


def _check_bots(owner: User, guest: User | None, terms: Terms) -> None:
    """Raise a Refusal for what a bot may not offer, or nobody may offer to a bot."""
    bots = [user for user in (owner, guest) if user is not None and user.is_bot]
    if bots and terms.rated:
        raise _bots_are_not_rated()
    if owner.is_bot and guest is not None and not guest.is_bot and guest.pk != owner.owner_id:
        raise refusals.bot_challenges_person(owner)


def _bots_are_not_rated() -> Refusal:
    return NotRateable(gettext_noop("Matches of bots are never rated. Make this one friendly."))


def _matches(terms: Terms | Invitation) -> int:
    return 2 if terms.as_set else 1


def _check_other(person: User) -> None:
    """Raise a Refusal if the other player cannot enter a rated match; it does not say why."""
    if limits.barred_since(person.pk) is not None:
        raise NotRateable(
            gettext_noop(
                "%(person)s cannot play a rated match at the moment. Make this one friendly."
            ),
            person=person,
        )


def _computer_is_not_rated() -> Refusal:
    return NotRateable(
        gettext_noop("Matches against the computer are never rated. Make this one friendly.")
    )
