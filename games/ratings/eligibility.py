"""Which matches may be rated: each refusal says what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Q

from games.play import time_controls
from games.play.models.match import Player
from games.play.terms import Terms
from games.ratings.glicko.counting import MAX_OF_A_PAIR, PAIR_PERIOD
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
    refusal = full_pairs(one, now()).get((family, other))
    if refusal is not None:
        raise refusal


def full_pairs(user_id: int, at: datetime) -> dict[tuple[str, int], NotRateable]:
    """Why a user may play no rated match with some others, by family and user id.

    Two queries, which read the live rated matches of the user and the units of PAIR_PERIOD.
    """
    counted = Counter(_counted_lately(user_id, at))
    full = {pair: _counted_enough() for pair, many in counted.items() if many >= MAX_OF_A_PAIR}
    # Of a set the match with the lower number stands for both.
    units = Counter(pair for pair, _unit in set(_live_units(user_id)))
    full |= {pair: _playing_enough() for pair, many in units.items() if many >= MAX_LIVE_UNITS}
    return full


def _live_units(user_id: int) -> Iterator[tuple[tuple[str, int], int]]:
    """The live rated matches of a user: family and opponent, and the number of the unit."""
    live = Player.objects.filter(user=user_id, live=True, match__rated=True)
    rows = live.values_list("match__preset", "match__players__user", "match", "match__twin")
    for preset, other, match, twin in rows:
        if other != user_id:
            yield (registry.ruleset(preset).family, other), min(match, twin or match)


def _counted_lately(user_id: int, at: datetime) -> Iterator[tuple[str, int]]:
    """Family and opponent of each unit of a user that counted within PAIR_PERIOD before `at`."""
    recent = Unit.objects.filter(
        Q(south=user_id) | Q(north=user_id), why="", final_at__gt=at - PAIR_PERIOD
    )
    for family, south, north in recent.values_list("family", "south", "north"):
        yield family, north if south == user_id else south


def _playing_enough() -> NotRateable:
    return NotRateable(
        gettext_noop(
            "You two already play %(count)s rated matches of this game. Make this one "
            "friendly, or finish one first."
        ),
        count=MAX_LIVE_UNITS,
    )


def _counted_enough() -> NotRateable:
    return NotRateable(
        gettext_noop(
            "%(count)s matches of you two have counted within %(days)s days, which is the "
            "limit. Make this one friendly."
        ),
        count=MAX_OF_A_PAIR,
        days=PAIR_PERIOD // timedelta(days=1),
    )
