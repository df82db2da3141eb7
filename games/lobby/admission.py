"""Who may offer or accept which invitation: caps, bars, and what a rated match needs.

Refusals name what the reader lacks first, and only then what their opponent lacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.people import limits
from games.ratings import eligibility
from games.ratings.eligibility import NotRateable
from games.rules.core.basics.refusals import Refusal, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User
    from games.play.terms import Terms


def check_offer(owner: User, guest: User | None, terms: Terms) -> None:
    """Raise a Refusal if `owner` may not offer a match on these terms, to `guest` or to anyone."""
    limits.check_staying(owner)
    if guest is not None and guest.is_house:
        if terms.rated:
            raise _computer_is_not_rated()
        return
    limits.check_cap(owner.pk, _matches(terms))
    if terms.rated:
        limits.check_bar(owner.pk)
        eligibility.check_terms(terms)
        if guest is not None:
            eligibility.check_pair(owner.pk, guest.pk, terms.rules.family)
            _check_other(guest)


def check_acceptance(guest: User, owner: User, terms: Terms) -> None:
    """Raise a Refusal if `guest` may not accept what `owner` has offered, which stays open."""
    limits.check_staying(guest)
    if guest.is_house or owner.is_house:
        return
    limits.check_cap(guest.pk, _matches(terms))
    if terms.rated:
        limits.check_bar(guest.pk)
        eligibility.check_terms(terms)
        eligibility.check_pair(owner.pk, guest.pk, terms.rules.family)
        _check_other(owner)


def may_be_rated(terms: Terms, one: User, other: User) -> bool:
    """Whether a match of these two on these terms may be rated now, for a rematch."""
    if one.is_house or other.is_house:
        return False
    try:
        eligibility.check_terms(terms)
        eligibility.check_pair(one.pk, other.pk, terms.rules.family)
    except NotRateable:
        return False
    return all(limits.barred_since(user.pk) is None for user in (one, other))


def _matches(terms: Terms) -> int:
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
