"""Sets of two: two matches by the same players and rules with sides swapped, and their score.

A win counts one point, a draw half a point for each; the player with more points wins the set. A
match that was aborted or not set up is lost by the player who did that, and drawn if both did, once
the other match has a result: nobody saves a lost set by not playing its other match. If neither
match has a result, or staff ended one without, the set has none.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play.models.match import Match, Status
from games.play.record.match_view import MatchView
from games.rules.core.basics.pieces import BySeat, Seat
from lib.sentences import in_a_row

HALVES = ("0", "½", "1", "1½", "2")


class SetScore(NamedTuple):
    """The score of a set: half points by the seats of one of its matches."""

    points: BySeat[int]
    is_live: bool
    is_void: bool  # permanently without a result


def set_score(match: Match, twin: Match) -> SetScore:
    """The score of a match and its twin; South in the one is North in the other."""
    first, second = match.half_points, twin.half_points
    statuses = {match.status, twin.status}
    return SetScore(
        BySeat(first[Seat.SOUTH] + second[Seat.NORTH], first[Seat.NORTH] + second[Seat.SOUTH]),
        is_live=match.is_live or twin.is_live,
        is_void=Status.VOID in statuses or statuses == {Status.CANCELLED},
    )


def score_text(match: Match, names: Mapping[Seat, str]) -> str:
    """The score of the set of a match, in sentences with these names; "" for a single match."""
    if match.twin is None:
        return ""
    points, is_live, is_void = set_score(match, match.twin)
    first, second = sorted(Seat, key=lambda seat: -points[seat])
    values = {
        "number": match.twin_id,
        "first": names[first],
        "second": names[second],
        "more": HALVES[points[first]],
        "less": HALVES[points[second]],
    }
    if is_void:
        return _no_result(match, match.twin)
    if is_live:
        words = _("Set with match %(number)s so far: %(first)s %(more)s, %(second)s %(less)s.")
    elif points[first] == points[second]:
        words = _("The set with match %(number)s is drawn, %(more)s to %(less)s.")
    else:
        words = _("%(first)s won the set with match %(number)s, %(more)s to %(less)s.")
    return in_a_row(filter(None, (words % values, _unplayed(match, match.twin, names))))


def sentence(view: MatchView) -> str:
    """As `score_text`, for the match shown, with the players' names."""
    return score_text(view.match, {seat: str(player.user) for seat, player in view.players.items()})


def abort_warning(match: Match) -> str:
    """What aborting a match of a set does, for its player; "" for a single match."""
    if match.twin_id is None:
        return ""
    return _("It belongs to a set: you lose it if match %(number)s has a result.") % {
        "number": match.twin_id
    }


def _no_result(match: Match, twin: Match) -> str:
    if Status.VOID not in (match.status, twin.status):
        words = _("The set with match %(number)s has no result: neither of its matches has one.")
    else:
        words = _(
            "The set with match %(number)s has no result: one of its matches ended without one."
        )
    return words % {"number": twin.pk}


def _unplayed(match: Match, twin: Match, names: Mapping[Seat, str]) -> str:
    """How the match counts that was aborted or not set up; "" if both were played."""
    unplayed = next((each for each in (match, twin) if each.status == Status.CANCELLED), None)
    if unplayed is None:
        return ""
    values: dict[str, object] = {"number": unplayed.pk}
    if len(unplayed.forfeiters) == 1:
        (seat,) = unplayed.forfeiters
        values["loser"] = names[seat if unplayed is match else seat.other]
        if twin.is_live or match.is_live:
            words = _(
                "%(loser)s did not play match %(number)s, which is lost if the other match has a "
                "result."
            )
        else:
            words = _("%(loser)s did not play match %(number)s, which is lost.")
    elif twin.is_live or match.is_live:
        words = _(
            "Neither player played match %(number)s, which counts half for each if the other match "
            "has a result."
        )
    else:
        words = _("Neither player played match %(number)s, which counts half for each.")
    return words % values
