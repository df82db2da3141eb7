"""Which tournament opened a match, for the pages and e-mails of matches."""

from __future__ import annotations

from django.urls import reverse

from games.competitions.tournaments.models import Tournament
from games.play.ports import EventLink


def link_of(key: str) -> EventLink | None:
    """Title and page of the tournament with this key, such as "tournament/7"; None for others."""
    kind, _slash, number = key.partition("/")
    if kind != "tournament" or not (number.isascii() and number.isdecimal()):
        return None
    title = Tournament.objects.filter(pk=int(number)).values_list("title", flat=True).first()
    if title is None:
        return None
    return EventLink(title, reverse("tournaments:tournament", args=[int(number)]))
