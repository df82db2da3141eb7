"""Conditions of open seats and private links: who may accept, as one value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.people.standing import limits
from games.ratings.glicko.counting import ESTABLISHED
from games.rules.core.basics.refusals import Refusal, gettext_noop

if TYPE_CHECKING:
    from games.lobby.invitations.candidates import Candidate
    from games.lobby.models import Invitation

MIN_RATING, MAX_RATING = 100, 3500
FINISHED = (0, 1, 5, 20)  # the choices of finished matches, at least
MAX_REPEATS = 9  # how often a standing seat is offered again


class ConditionNotMet(Refusal):
    """A player does not meet a condition of an invitation."""


@dataclass(frozen=True)
class Conditions:
    """What somebody has to meet to accept; the fields are columns of Invitation.

    Raises ValueError for ratings that are out of range or in the wrong order.
    """

    rating_from: int | None = None  # points of the shown rating, 1500 without one
    rating_to: int | None = None
    established: bool = False  # a deviation of at most 110
    min_finished: int = 0
    reliable: bool = False  # no loss on time and no missing set-up in 90 days

    def __post_init__(self) -> None:
        given = [each for each in (self.rating_from, self.rating_to) if each is not None]
        if any(not MIN_RATING <= each <= MAX_RATING for each in given) or given != sorted(given):
            raise ValueError("Ratings are out of range or in the wrong order.")

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """Conditions from values by the names of the fields; other names are ignored."""
        return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})

    @classmethod
    def of_invitation(cls, invitation: Invitation) -> Self:
        """The conditions stored in a row."""
        return cls.from_values({each.name: getattr(invitation, each.name) for each in fields(cls)})

    def values(self) -> dict[str, Any]:
        """The fields by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def sentences(self) -> list[str]:
        """The conditions in the reader's language, one each."""
        days = limits.MISS_PERIOD.days
        finished = self.min_finished
        candidates = [
            (self.rating_from or self.rating_to, self._ratings()),
            (
                self.established,
                _("An established rating, with a deviation of at most %(deviation)s")
                % {"deviation": ESTABLISHED},
            ),
            (
                finished,
                ngettext(
                    "At least %(count)s finished match",
                    "At least %(count)s finished matches",
                    finished,
                )
                % {"count": finished},
            ),
            (
                self.reliable,
                _("No loss on time and no missing set-up within %(days)s days") % {"days": days},
            ),
        ]
        return [words for applies, words in candidates if applies]

    def _ratings(self) -> str:
        values = {"least": self.rating_from, "most": self.rating_to}
        if self.rating_to is None:
            return _("A rating of at least %(least)s") % values
        if self.rating_from is None:
            return _("A rating of at most %(most)s") % values
        return _("A rating from %(least)s to %(most)s") % values

    def unmet_by(self, reader: Candidate, family: str) -> ConditionNotMet | None:
        """The first condition that a reader does not meet; None if they meet all."""
        shown = reader.rating(family)
        if self.rating_from is not None and shown.rating < self.rating_from:
            return ConditionNotMet(
                gettext_noop(
                    "This invitation is for ratings of at least %(least)s; yours is %(rating)s."
                ),
                least=self.rating_from,
                rating=shown.rating,
            )
        if self.rating_to is not None and shown.rating > self.rating_to:
            return ConditionNotMet(
                gettext_noop(
                    "This invitation is for ratings of at most %(most)s; yours is %(rating)s."
                ),
                most=self.rating_to,
                rating=shown.rating,
            )
        if self.established and not shown.established:
            return ConditionNotMet(
                # Without the limit of 110: a deviation of 110.3 is above it and shown as 110.
                gettext_noop(
                    "This invitation is for established ratings, which are shown without a "
                    "question mark; yours is %(rating)s. Rated matches that count take the "
                    "question mark away."
                ),
                rating=str(shown),
            )
        if reader.finished < self.min_finished:
            return ConditionNotMet(
                gettext_noop(
                    "This invitation is for players who have finished %(least)s or more matches "
                    "against people; you have finished %(finished)s."
                ),
                least=self.min_finished,
                finished=reader.finished,
            )
        if self.reliable and reader.has_missed:
            return ConditionNotMet(
                gettext_noop(
                    "This invitation is for players who within %(days)s days have not lost on time "
                    "or missed a set-up."
                ),
                days=limits.MISS_PERIOD.days,
            )
        return None
