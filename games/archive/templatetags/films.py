"""Films of a match on its pages: a link to each that is made, and forms to ask for the others."""

from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.archive.films import files
from games.archive.models import FilmEyes
from games.play.pictures.film import MAX_PLIES
from games.play.record.match_view import MatchView

register = template.Library()

TITLES = {
    FilmEyes.OPEN: gettext_noop("Film of the match with both armies shown"),
    FilmEyes.GALLERY: gettext_noop("Film of the match as spectators saw it"),
}


class ListedFilm(NamedTuple):
    """A film on a page: `path` of its file, `made` True, False while it waits, None if unasked."""

    eyes: str
    title: str
    path: str
    made: bool | None


@register.inclusion_tag("archive/_films.html", takes_context=True)
def films(context: Context, view: MatchView) -> dict[str, Any]:
    """The films of a match: none before it is open, or if it is too long; one query."""
    match = view.match
    listed: list[ListedFilm] = []
    if match.is_open(view.now) and view.shown_last <= MAX_PLIES:
        states = files.states(match.pk)
        listed = [
            ListedFilm(
                eyes,
                _(title),
                reverse("archive:film_file", args=[match.pk, eyes]),
                states.get(eyes),
            )
            for eyes, title in TITLES.items()
            # Where nothing is hidden, both films show the same.
            if view.rules.hidden or eyes is FilmEyes.OPEN
        ]
    given = {name: context.get(name) for name in ("user", "request")}
    return {**given, "films": listed, "match": match}
