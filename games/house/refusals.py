"""Refusals of the house: exceptions with a sentence for the player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.rules.core.basics.refusals import Refusal, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User


class HouseRefusal(Refusal):
    """A match against the house was refused."""


class TooManyHouseMatches(HouseRefusal):
    """A player has reached a limit of matches against the house."""

    code = "limit-reached"


def away(house: User) -> HouseRefusal:
    return HouseRefusal(
        gettext_noop("%(house)s is not available at the moment. Choose another level."), house=house
    )


def too_many_live(limit: int) -> TooManyHouseMatches:
    return TooManyHouseMatches(
        gettext_noop(
            "You have %(limit)s running matches against the computer, which is the limit. Finish "
            "one of them first."
        ),
        limit=limit,
    )


def too_many_today(limit: int) -> TooManyHouseMatches:
    return TooManyHouseMatches(
        gettext_noop(
            "You have started %(limit)s matches against the computer within a day, which is the "
            "limit. Try again tomorrow."
        ),
        limit=limit,
    )
