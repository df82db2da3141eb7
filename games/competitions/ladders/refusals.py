"""Refusals of ladders: exceptions with a sentence for the player.

Those that a table shows in place of a button have a few words as well (`short`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from games.competitions.ladders import limits
from games.rules.core.basics.refusals import Refusal, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User

DAY = timedelta(days=1)


class LadderRefusal(Refusal):
    """A command of a ladder was refused. `short`: why there is no button, in a few words."""

    short = ""


def _with_short(refusal: LadderRefusal, short: str) -> LadderRefusal:
    refusal.short = short
    return refusal


def people_only() -> LadderRefusal:
    return LadderRefusal(gettext_noop("Only people with an account can join ladders."))


def not_a_member() -> LadderRefusal:
    return LadderRefusal(gettext_noop("You are not on this ladder. Join it first."))


def you_are_going() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "You are leaving this ladder, so you cannot challenge anybody. Once your running "
            "challenges are final you are off it, and may join again at the foot."
        )
    )


def still_going() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "You are still leaving this ladder. You may join again at the foot once your running "
            "challenges are final."
        )
    )


def nothing_finished() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "To join a ladder, finish one match against a person first: play it to a result, with "
            "at least two moves of your own."
        )
    )


def back_later(days: int) -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "You were dropped from this ladder because you lost on time or did not set up. Days "
            "until you may join again: %(days)s."
        ),
        days=days,
    )


def you_are_away() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop("You are on vacation. You can challenge others when it has ended.")
    )


def too_many_out() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "You have challenged %(count)s members of this ladder, which is the limit. Finish one "
            "of these matches first."
        ),
        count=limits.MOST_OUT,
    )


def nobody_there(handle: object) -> LadderRefusal:
    return LadderRefusal(
        gettext_noop("There is no member called “%(handle)s” on this ladder. Check the spelling."),
        handle=handle,
    )


def yourself() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop("You cannot challenge yourself. Choose a member who stands above you.")
    )


def below() -> LadderRefusal:
    return LadderRefusal(
        gettext_noop(
            "This member stands below you. On a ladder you challenge members who stand above you."
        )
    )


def out_of_reach(places: int) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop(
            "This member stands too far above you. You can challenge up to %(places)s places above "
            "your own."
        ),
        places=places,
    )
    return _with_short(refusal, gettext_noop("too far above you"))


def other_is_going(person: User) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop("%(person)s is leaving this ladder and takes no new challenges."),
        person=person,
    )
    return _with_short(refusal, gettext_noop("is leaving"))


def other_is_away(person: User) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop(
            "%(person)s is on vacation. A vacation protects from challenges for %(days)s days."
        ),
        person=person,
        days=limits.SHIELD // DAY,
    )
    return _with_short(refusal, gettext_noop("on vacation"))


def too_many_in(person: User, count: int) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop(
            "%(person)s has been challenged %(count)s times, which is the limit for this place. "
            "Try again when one of these matches is over."
        ),
        person=person,
        count=count,
    )
    return _with_short(refusal, gettext_noop("challenged often enough"))


def already_playing(person: User) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop(
            "A challenge between you and %(person)s is running. Finish it first; two players have "
            "one challenge at a time, on all ladders together."
        ),
        person=person,
    )
    return _with_short(refusal, gettext_noop("you play each other"))


def played_lately(person: User) -> LadderRefusal:
    refusal = LadderRefusal(
        gettext_noop(
            "A challenge between you and %(person)s ended less than %(days)s days ago. Wait until "
            "they have passed."
        ),
        person=person,
        days=limits.PAIR_REST // DAY,
    )
    return _with_short(refusal, gettext_noop("you played lately"))
