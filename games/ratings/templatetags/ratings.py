"""Ratings on pages of other rooms: on profiles, and on the page of a match."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from django import template
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.models.match import Match
from games.play.record.match_view import MatchView
from games.ratings import units
from games.ratings.models import Unit
from games.ratings.pages import results, sentences
from games.ratings.pages.leaders import Leader

register = template.Library()


@register.inclusion_tag("ratings/_standings.html")
def standings_of(person: User) -> dict[str, Any]:
    """A person's ratings, won-drawn-lost by game; nothing for programs and closed accounts."""
    rated = person.kind == "person"
    return {
        "person": person,
        "rated": rated,
        "standings": results.standings(person) if rated else (),
    }


@register.simple_tag
def leader_rows(leaders: Iterable[Leader]) -> SafeString:
    """Rows of a leader table as HTML built in Python: 100 take 6 ms, and 18 ms as a template."""
    place, rating, counted, last = (
        escape(label) for label in (_("Place:"), _("Rating:"), _("Counted:"), _("Last result:"))
    )
    rows = []
    for leader in leaders:
        name, row = leader.rating.user.username, leader.rating
        day = localtime(row.last_at).date()
        rows.append(
            f'<tr><th scope="row"><a href="{reverse("ratings:person", args=[name, row.family])}">'
            f"{escape(name)}</a></th>"
            f'<td class="num" data-label="{place}">{leader.place}</td>'
            f'<td class="num" data-label="{rating}">{leader.shown}</td>'
            f'<td class="num" data-label="{counted}">{row.counted}</td>'
            f'<td data-label="{last}"><time datetime="{day.isoformat()}">'
            f"{date_format(day, 'DATE_FORMAT')}</time></td></tr>\n"
        )
    return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


@register.inclusion_tag("ratings/_changes.html")
def rating_changes(view: MatchView) -> dict[str, Any]:
    """What a finished rated match, or its set, did to both ratings; one query.

    Of a friendly match, whether it is the rematch of a rated one; a query for rematches only.
    Nothing for other friendly matches and for live ones. Only the players read a moderator's
    reason.
    """
    match = view.match
    if not match.rated:
        return {"became_friendly": _became_friendly(match)}
    if match.is_live:
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


def _became_friendly(match: Match) -> bool:
    """Whether a friendly match is the rematch of a rated one."""
    before = match.rematch_of_id
    return before is not None and Match.objects.filter(pk=before, rated=True).exists()


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
