"""What the lobby refuses. Each says what is so and what to do.

People stand among the facts as people, not as words: nobody's handle is to be translated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.rules.core.errors import Refusal, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User


class InvitationRefusal(Refusal):
    """A "no" of the lobby."""


class NoLongerOpen(InvitationRefusal):
    """Somebody was faster, it was taken back, or its time was over."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop("This invitation is no longer open; look in the lobby for another.")
        )


class TooMany(InvitationRefusal):
    """The owner has reached a limit."""


def too_many_open(limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "You have %(limit)s invitations open, which is as many as there may be. "
            "Withdraw one, or wait until somebody accepts."
        ),
        limit=limit,
    )


def too_many_today(limit: int) -> TooMany:
    return TooMany(
        gettext_noop(
            "You have sent %(limit)s invitations within a day, which is as many as there may be. "
            "Try again tomorrow."
        ),
        limit=limit,
    )


def yourself() -> InvitationRefusal:
    return InvitationRefusal(gettext_noop("You cannot play against yourself; name somebody else."))


def own_invitation() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("This invitation is your own; somebody else has to accept it.")
    )


def not_here(person: User) -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("%(person)s does not play here at present and cannot be challenged."),
        person=person,
    )


def owner_only(owner: User) -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("This invitation is %(owner)s's, and nobody else can change it."), owner=owner
    )


def guest_only() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("Only the player who is challenged can decline a challenge.")
    )


def begun(guest: User) -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("%(guest)s has accepted in the meantime: the match has begun."), guest=guest
    )


def not_finished() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("A rematch can be offered once the match has been played to its end.")
    )


def set_not_finished() -> InvitationRefusal:
    return InvitationRefusal(
        gettext_noop("Another set can be offered once both matches of this one are over.")
    )
