"""Sentences about rated results: what they did to a rating, or why they do not count."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.terms import MIN_TURNS
from games.play.words.sets import HALVES
from games.ratings.glicko.counting import MAX_ABSENCES, MAX_OF_A_PAIR, PAIR_PERIOD
from games.ratings.models import WhyNot
from games.ratings.shown import Shown

WHY_NOT: dict[str, str] = {
    WhyNot.STAFF: gettext_noop("Not counted: a moderator has taken it out of the ratings."),
    WhyNot.VOID: gettext_noop("Not counted: it ended without a result."),
    WhyNot.SHORT: gettext_noop(
        "Not counted: it was too short. Each side has to make at least %(turns)s moves."
    ),
    WhyNot.ABSENCE: gettext_noop(
        "Not counted: only the first %(absences)s losses on time of a player who has stopped "
        "moving count."
    ),
    WhyNot.PAIR: gettext_noop(
        "Not counted: only %(pairs)s results of the same two players count within %(days)s days."
    ),
}
LIMITS = {
    "turns": MIN_TURNS,
    "absences": MAX_ABSENCES,
    "pairs": MAX_OF_A_PAIR,
    "days": PAIR_PERIOD.days,
}


def why_not(why: str) -> str:
    """Why a unit does not count."""
    return _(WHY_NOT[why]) % LIMITS


def change(before: Shown, after: Shown) -> str:
    """What a result did to a rating: "1534 to 1546 (+12)"."""
    gain = after.rating - before.rating
    sign = "+" if gain > 0 else "−" if gain < 0 else "±"
    values = {"before": _points(before), "after": _points(after), "gain": f"{sign}{abs(gain)}"}
    return _("%(before)s to %(after)s (%(gain)s)") % values


def score(quarters: int | None, *, is_set: bool, turned: bool) -> str:
    """A unit's score, own points first, such as 1 to 0, of a set 1½ to ½; "" if it has none.

    `quarters` are South's; `turned`: the reader was North of its first match.
    """
    if quarters is None:
        return ""
    own = 4 - quarters if turned else quarters
    # A match is worth one point, a set two.
    halves = own if is_set else own // 2
    return f"{HALVES[halves]} – {HALVES[(4 if is_set else 2) - halves]}"


def _points(shown: Shown) -> str:
    return f"{shown.rating}{'' if shown.established else '?'}"
