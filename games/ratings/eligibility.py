"""Which matches may be rated: each refusal says what is missing."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q

from games.play import time_controls
from games.play.models.match import Player
from games.play.terms import Terms
from games.ratings.counting import MAX_OF_A_PAIR, PAIR_PERIOD
from games.ratings.models import Unit
from games.rules import registry
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

MAX_LIVE_UNITS = 2  # of the same two players in one family


class NotRateable(Refusal):
    """A match on these terms, or of these players, cannot be rated."""


def check_terms(terms: Terms) -> None:
    """Raise NotRateable for terms that a rated match cannot have."""
    if terms.switches:
        raise NotRateable(
            gettext_noop(
                "A rated match needs the edition's own rules. Reset the rule options, or make the "
                "match friendly."
            )
        )
    if time_controls.parse(terms.pace).bank is None:
        raise NotRateable(
            gettext_noop(
                "A rated match needs a time limit. Choose a time control, or make the match "
                "friendly."
            )
        )
    if terms.rules.sets and not terms.as_set:
        raise NotRateable(
            gettext_noop(
                "In this game a rated match is a set of two, with sides swapped. Choose a set of "
                "two, or make the match friendly."
            )
        )


def check_pair(one: int, other: int, family: str) -> None:
    """Raise NotRateable if two users have enough rated units with each other for now."""
    live = Player.objects.filter(
        user=one,
        live=True,
        match__rated=True,
        match__preset__in=[rules.key for rules in registry.games[family]],
        match__players__user=other,
    )
    # Of a set the match with the lower number stands for both.
    units = {min(pk, twin or pk) for pk, twin in live.values_list("match", "match__twin")}
    if len(units) >= MAX_LIVE_UNITS:
        raise NotRateable(
            gettext_noop(
                "You two already play %(count)s rated matches of this game. Make this one "
                "friendly, or finish one first."
            ),
            count=MAX_LIVE_UNITS,
        )
    recent = Unit.objects.filter(
        Q(south=one, north=other) | Q(south=other, north=one),
        family=family,
        why="",
        final_at__gt=now() - PAIR_PERIOD,
    )
    if recent.count() >= MAX_OF_A_PAIR:
        raise NotRateable(
            gettext_noop(
                "%(count)s matches of you two have counted within %(days)s days, which is the "
                "limit. Make this one friendly."
            ),
            count=MAX_OF_A_PAIR,
            days=PAIR_PERIOD // timedelta(days=1),
        )
