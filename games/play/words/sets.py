"""Sets of two: two matches by the same players and rules with sides swapped, and their score.

A win counts one point, a draw half a point for each; the player with more points wins the set. A
match that ends without a result leaves the set without one, since only one side was played.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play.models.match import Match, Status
from games.play.record.match_view import MatchView
from games.rules.core.basics.pieces import BySeat, Seat

HALVES = ("0", "½", "1", "1½", "2")


class SetScore(NamedTuple):
    """The score of a set: half points by the seats of one of its matches."""

    points: BySeat[int]
    is_live: bool
    is_void: bool  # permanently without a result


def set_score(match: Match, twin: Match) -> SetScore:
    """The score of a match and its twin; South in the one is North in the other."""
    here, there = _points(match), _points(twin)
    return SetScore(
        BySeat(here[Seat.SOUTH] + there[Seat.NORTH], here[Seat.NORTH] + there[Seat.SOUTH]),
        is_live=match.is_live or twin.is_live,
        is_void=any(one.status in (Status.CANCELLED, Status.VOID) for one in (match, twin)),
    )


def score_text(match: Match, names: Mapping[Seat, str]) -> str:
    """The score of the set of a match, in a sentence with these names; "" for a single match."""
    if match.twin is None:
        return ""
    points, is_live, is_void = set_score(match, match.twin)
    first, second = sorted(Seat, key=lambda seat: -points[seat])
    facts = {
        "number": match.twin_id,
        "first": names[first],
        "second": names[second],
        "more": HALVES[points[first]],
        "less": HALVES[points[second]],
    }
    if is_void:
        words = _(
            "The set with match %(number)s has no result: one of its matches ended without one."
        )
    elif is_live:
        words = _("Set with match %(number)s so far: %(first)s %(more)s, %(second)s %(less)s.")
    elif points[first] == points[second]:
        words = _("The set with match %(number)s is drawn, %(more)s to %(less)s.")
    else:
        words = _("%(first)s won the set with match %(number)s, %(more)s to %(less)s.")
    return words % facts


def sentence(view: MatchView) -> str:
    """As `score_text`, for the match shown, with the players' names."""
    return score_text(view.match, {seat: str(player.user) for seat, player in view.players.items()})


def _points(match: Match) -> BySeat[int]:
    """The half points of a match by seat; none until it has a result."""
    if match.status != Status.FINISHED:
        return BySeat(0, 0)
    if match.result == "draw":
        return BySeat(1, 1)
    winner = Seat(match.rules.seat_letters.index(match.result))
    return BySeat(0, 0).put(winner, 2)
