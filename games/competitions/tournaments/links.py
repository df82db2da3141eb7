"""What other rooms ask: which tournament opened a match, who plays in what, and against whom."""

from __future__ import annotations

import re

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.competitions.ranking import signs
from games.competitions.tournaments.models import Entry, Lot, Pairing, State, Tournament
from games.play.ports import EventLink

_KEY = re.compile(r"tournament/[1-9][0-9]{0,17}")


def link_of(key: str) -> EventLink | None:
    """Title and page of the tournament with this key, such as "tournament/7"; None for others.

    The key may be typed by anybody, so there is none of a draft.
    """
    if not _KEY.fullmatch(key):
        return None
    number = key.partition("/")[2]
    public = Tournament.objects.exclude(state=State.DRAFT)
    title = public.filter(pk=int(number)).values_list("title", flat=True).first()
    if title is None:
        return None
    return EventLink(title, reverse("tournaments:tournament", args=[int(number)]))


def at_closing(user_id: int) -> list[tuple[str, str]]:
    """Each tournament that a user would leave, as a sentence with the path of its page."""
    entered = Entry.objects.filter(
        user=user_id, status=Entry.Status.ENTERED, tournament__state=State.OPEN
    )
    entries = Entry.objects.filter(Q(pk__in=entered) | Q(pk__in=in_play(user_id)))
    sentence = _("You would withdraw from the tournament “%(title)s”.")
    return [
        (sentence % {"title": entry.tournament.title}, entry.tournament.get_absolute_url())
        for entry in entries.select_related("tournament").order_by("pk")
    ]


def in_play(user_id: int) -> QuerySet[Entry]:
    """A user's entries with an open sign in the stage that is played, or that may go on from it."""
    pairings = Pairing.objects.filter(signs__contains=signs.OPEN)
    lots = Lot.objects.filter(
        Q(group__stage__number__lt=F("group__stage__tournament__stages"))
        | Exists(pairings.filter(south=OuterRef("pk")))
        | Exists(pairings.filter(north=OuterRef("pk"))),
        entry__user=user_id,
        group__stage__over_at=None,
    )
    return Entry.objects.filter(
        user=user_id,
        status=Entry.Status.PLAYING,
        tournament__state=State.RUNNING,
        pk__in=lots.values("entry"),
    )


def is_playing(user_id: int) -> bool:
    """Whether a tournament runs in which matches of a user are missing or may follow."""
    return in_play(user_id).exists()


def compete(one: int, other: int) -> bool:
    """Whether two users have entered the same tournament, and it is not over."""
    there = Entry.objects.filter(
        status__in=(Entry.Status.ENTERED, Entry.Status.PLAYING),
        tournament__state__in=(State.OPEN, State.RUNNING),
    )
    theirs = there.filter(user=other).values("tournament")
    return there.filter(user=one, tournament__in=theirs).exists()
