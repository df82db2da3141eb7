"""Ratings on pages of other rooms: on profiles, and on the page of a match."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.record.match_view import MatchView
from games.ratings import units
from games.ratings.models import Unit
from games.ratings.pages import results, sentences

register = template.Library()


@register.inclusion_tag("ratings/_standings.html")
def standings_of(person: User) -> dict[str, Any]:
    """A person's ratings, won-drawn-lost by game; nothing for the computer or a closed account."""
    rated = not (person.is_house or person.is_former)
    return {
        "person": person,
        "rated": rated,
        "standings": results.standings(person) if rated else (),
    }


@register.inclusion_tag("ratings/_changes.html")
def rating_changes(view: MatchView) -> dict[str, Any]:
    """What a finished rated match, or its set, did to both ratings; one query.

    Nothing for friendly and for live matches. Only the players read a moderator's reason.
    """
    match = view.match
    if not match.rated or match.is_live:
        return {}
    unit = Unit.objects.filter(match=units.first_of(match)).first()
    if unit is None:
        return {"lines": [_waits(view)]}
    reason = unit.taken_out_reason if view.seat is not None else ""
    if unit.why:
        lines = [sentences.why_not(unit.why)]
    else:
        # The rating of a closed account is not shown.
        lines = [
            f"{user}: {results.change(*results.states(unit, user.pk))}"
            for user in (player.user for player in view.players.values())
            if not user.is_former
        ]
    return {"lines": lines, "reason": reason, "taken_out": unit.taken_out}


def _waits(view: MatchView) -> str:
    """When a result that has no number yet will count."""
    finals = [match.final_at for match in units.matches_of(view.match)]
    if None in finals:
        return _("It counts when both matches of the set are over.")
    final = max(at for at in finals if at is not None)
    if final > view.now:
        at = date_format(localtime(final), "DATETIME_FORMAT")
        return _("It counts from %(at)s on, when the result can no longer be undone.") % {"at": at}
    return _("It counts in a minute.")
