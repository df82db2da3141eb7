"""Candidates: what conditions and limits ask about somebody who may accept invitations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.db.models import Q

from games.lobby.models import Invitation, InvitationStatus
from games.people.standing import limits
from games.play.models.match import Status
from games.ratings import eligibility
from games.ratings.eligibility import NotRateable
from games.ratings.shown import UNRATED, Shown, ratings_by_game
from games.rules import registry


@dataclass(frozen=True)
class Candidate:
    """A user who may accept invitations; read in a constant number of queries."""

    user_id: int
    ratings: Mapping[str, Shown]  # by family
    finished: int  # matches against people
    has_missed: bool  # lost on time or did not set up within limits.MISS_PERIOD
    most: int  # live matches against people that they may have
    live: int  # and have
    barred_since: datetime | None
    # Why no rated match with another player is possible now, by family and user id.
    full_with: Mapping[tuple[str, int], NotRateable]
    # The first of the standing seats out of which they have a live match.
    playing_out_of: frozenset[int]
    is_bot: bool = False

    @classmethod
    def of_user(cls, user_id: int, at: datetime, *, is_bot: bool = False) -> Self:
        """Read everything about a user, as of an instant."""
        finished = limits.finished_matches(user_id)
        ratings = ratings_by_game([user_id], at)
        return cls(
            user_id=user_id,
            ratings={family: shown for (_user, family), shown in ratings.items()},
            finished=finished,
            has_missed=limits.has_missed(user_id, at),
            most=limits.most_after(finished),
            live=limits.live_matches(user_id),
            barred_since=limits.barred_since(user_id),
            full_with=eligibility.full_pairs(user_id, at),
            playing_out_of=_standing_seats_of(user_id),
            is_bot=is_bot,
        )

    def rating(self, family: str) -> Shown:
        """Their rating in a family as it is shown."""
        return self.ratings.get(family, UNRATED)

    def may_take(self) -> Q:
        """The condition of invitations that `admission.why_not` does not refuse them."""
        free = self.most - self.live
        if free < 1:
            return Q(pk__in=[])
        allowed = Q(min_finished__lte=self.finished) & self._within_ratings()
        if free < 2:
            allowed &= Q(as_set=False)
        if self.has_missed:
            allowed &= Q(reliable=False)
        if self.barred_since is not None or self.is_bot:
            allowed &= Q(rated=False)
        for family in {family for family, _other in self.full_with}:
            others = [other for game, other in self.full_with if game == family]
            allowed &= ~Q(rated=True, preset__in=_presets(family), owner__in=others)
        if self.playing_out_of:
            allowed &= Q(repeat_of=None) | ~Q(repeat_of__in=self.playing_out_of)
        return allowed

    def _within_ratings(self) -> Q:
        by_rating: dict[tuple[int, bool], list[str]] = {}
        for family in registry.games:
            shown = self.rating(family)
            presets = by_rating.setdefault((shown.rating, shown.established), [])
            presets += _presets(family)
        within = Q()
        for (rating, established), presets in by_rating.items():
            one = Q(preset__in=presets)
            one &= Q(rating_from=None) | Q(rating_from__lte=rating)
            one &= Q(rating_to=None) | Q(rating_to__gte=rating)
            if not established:
                one &= Q(established=False)
            within |= one
        return within


def _presets(family: str) -> list[str]:
    return [rules.key for rules in registry.games[family]]


def _standing_seats_of(user_id: int) -> frozenset[int]:
    """The first of each series of standing seats out of which a user has a live match."""
    standing = Q(repeats__gt=0) | Q(repeat_of__isnull=False)
    live = Q(match__status__in=Status.live()) | Q(match__twin__status__in=Status.live())
    taken = Invitation.objects.filter(
        standing, live, guest=user_id, status=InvitationStatus.ACCEPTED
    )
    return frozenset(first or pk for pk, first in taken.values_list("pk", "repeat_of"))
