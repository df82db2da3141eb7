"""Opponents of a player's strength: open seats that they may take, the nearest rating first."""

from __future__ import annotations

from accounts.models import User
from games.lobby.invitations.candidates import Candidate
from games.lobby.invitations.conditions import MAX_RATING, MIN_RATING, Conditions
from games.lobby.models import Invitation
from games.play.terms import Terms
from games.ratings.shown import UNRATED, Shown, ratings_by_game, shown_rating
from games.rules import registry
from lib.db_clock import now

MAX_DISTANCE = 200  # points between two established ratings
MAX_SEATS = 200  # that are compared, the oldest ones


def seats_near(user: User, preset: str, pace: str) -> list[Invitation]:
    """Open seats of an edition and a time control for somebody of a user's strength.

    The nearest rating comes first, of equally near ones the oldest seat. A rating with a question
    mark is near enough to any other. Rule options are those of the edition, and a set of two is
    found only where it is usual.
    """
    at = now()
    rules = registry.ruleset(preset)
    reader = Candidate.of_user(user.pk, at, is_bot=user.is_bot)
    own = reader.rating(rules.family)
    seats = Invitation.objects.seats_for(user).filter(
        reader.may_take(), preset=preset, pace=pace, switches={}, as_set=rules.sets
    )
    oldest = list(seats.select_related("owner").order_by("pk")[:MAX_SEATS])
    ratings = ratings_by_game({seat.owner_id for seat in oldest}, at)

    def theirs(seat: Invitation) -> Shown:
        return ratings.get((seat.owner_id, rules.family), UNRATED)

    def distance(seat: Invitation) -> int:
        return abs(theirs(seat).rating - own.rating)

    def is_near(seat: Invitation) -> bool:
        both = own.established and theirs(seat).established
        return not both or distance(seat) <= MAX_DISTANCE

    return sorted(filter(is_near, oldest), key=distance)


def seat_of(user: User, preset: str, pace: str) -> tuple[Terms, Conditions]:
    """The rated open seat that is offered if there is none to take.

    For ratings at most MAX_DISTANCE away, or for all while the user's has a question mark. Raises
    UnknownRuleset, and ValueError for a time control that cannot be read.
    """
    rules = registry.ruleset(preset)
    terms = Terms(preset, pace=pace, as_set=rules.sets, vacations=True, rated=True)
    own = shown_rating(user.pk, rules.family)
    if not own.established:
        return terms, Conditions()
    return terms, Conditions(
        rating_from=max(MIN_RATING, own.rating - MAX_DISTANCE),
        rating_to=min(MAX_RATING, own.rating + MAX_DISTANCE),
    )
