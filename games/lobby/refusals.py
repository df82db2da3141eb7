"""Refusals of the lobby commands: exceptions with a sentence for the player.

Players are passed as User objects: string parameters are translated, which must not happen to a
username.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.rules.core.basics.refusals import Refusal, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User


class InvitationRefusal(Refusal):
    """A lobby command was refused."""


class NoLongerOpen(InvitationRefusal):
    """The invitation was accepted by another user, declined or withdrawn, or has expired."""

    code = "no-longer-open"

    def __init__(self) -> None:
        super().__init__(
            gettext_noop("This invitation is no longer open. You can find others in the lobby.")
        )


class TooMany(InvitationRefusal):
    """The owner has reached a limit of invitations."""

    code = "limit-reached"


def too_many_open(limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "You have %(limit)s open invitations, which is the limit. Withdraw one, or wait "
            "until somebody accepts."
        ),
        limit=limit,
    )


def bot_has_too_many_seats(bot: User, limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "%(bot)s offers %(limit)s open seats, which is the limit of a bot. Withdraw one, or "
            "wait until somebody accepts."
        ),
        bot=bot,
        limit=limit,
    )


def bot_challenges_person(bot: User) -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop(
            "%(bot)s is a bot, and bots challenge no people but their owner. Offer an open seat."
        ),
        bot=bot,
    )


def too_many_today(limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "You have sent %(limit)s invitations within a day, which is the limit. Try again "
            "tomorrow."
        ),
        limit=limit,
    )


def too_many_to_one(guest: User, limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "You have challenged %(guest)s %(limit)s times within a day without a match; withdrawn "
            "challenges count. Try again tomorrow."
        ),
        guest=guest,
        limit=limit,
    )


def too_many_to_anybody(guest: User) -> TooMany:
    return TooMany(
        gettext_noop(
            "%(guest)s has received very many challenges within a day. Try again tomorrow, or "
            "offer an open seat."
        ),
        guest=guest,
    )


def cannot_challenge_yourself() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("You cannot play against yourself. Choose another player.")
    )


def own_invitation() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("This is your own invitation; somebody else has to accept it.")
    )


def takes_no_challenges(person: User) -> InvitationRefusal:
    """The one refusal for a block, the preference and a closed account."""
    return InvitationRefusal(
        gettext_noop("%(person)s does not take challenges at the moment."), person=person
    )


def owner_only(owner: User) -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("This invitation belongs to %(owner)s; only they can change it."), owner=owner
    )


def guest_only() -> InvitationRefusal:
    return InvitationRefusal(gettext_noop("Only the challenged player can decline a challenge."))


class Begun(InvitationRefusal):
    """Another user has accepted the invitation."""

    code = "no-longer-open"


def begun(guest: User) -> Begun:
    return Begun(gettext_noop("%(guest)s has already accepted: the match has begun."), guest=guest)


def not_finished() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("You can offer a rematch once the match has been played to the end.")
    )


def set_not_finished() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("You can offer another set once both matches of this one are over.")
    )
