"""What other rooms ask: which tournament opened a match, what ends with an account."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from games.competitions.tournaments.models import Entry, State, Tournament
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


def at_closing(user_id: int) -> list[tuple[str, str]]:
    """Each tournament that a user would leave, as a sentence with the path of its page."""
    entries = Entry.objects.filter(
        user=user_id,
        status__in=(Entry.Status.ENTERED, Entry.Status.PLAYING),
        tournament__state__in=(State.OPEN, State.RUNNING),
    )
    sentence = _("You would withdraw from the tournament “%(title)s”.")
    return [
        (sentence % {"title": entry.tournament.title}, entry.tournament.get_absolute_url())
        for entry in entries.select_related("tournament").order_by("pk")
    ]
