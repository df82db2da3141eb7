"""Template tag: the newest finished matches of a person, for their page."""

from typing import Any

from django import template

from accounts.models import User
from games.archive import finished_matches

SHOWN = 5

register = template.Library()


@register.inclusion_tag("archive/_matches_of.html")
def matches_of(person: User) -> dict[str, Any]:
    """The newest finished matches of a person, and the way to all of them; two queries."""
    own = finished_matches.played_by(finished_matches.finished(), person)
    own = finished_matches.with_players(own.select_related("twin"))
    return {"person": person, "matches": own[:SHOWN]}
