"""Link previews of matches: what other programs show of a page when somebody shares its address.

Also the texts that people copy to show a match on other sites.
"""

from typing import NamedTuple

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.play.pictures.link_pictures import HEIGHT, WIDTH
from games.play.record.match_view import MatchView
from games.play.words import narration

register = template.Library()


@register.inclusion_tag("play/_match_preview.html", takes_context=True)
def match_preview(context: Context, view: MatchView) -> dict[str, object]:
    """The preview of a page about the match at the ply shown: names, game, result, and a picture.

    Public facts alone, the same on every reader's page (templates/_preview.html is for others).
    """
    stands = view.opening is not None
    picture = f"{view.address}picture/{view.shown_ply}.png"
    image = picture if stands else static("png/icon-512.png")
    query = "" if view.is_newest else f"?ply={view.shown_ply}"
    return {
        "view": view,
        "description": _description(view),
        "url": f"{settings.SITE_URL}{context['request'].path}{query}",
        "image": f"{settings.SITE_URL}{image}",
        "has_picture": stands,
        "width": WIDTH,
        "height": HEIGHT,
    }


class Embedding(NamedTuple):
    """Texts that show the picture of a match on other sites, and the picture itself."""

    html: str
    markdown: str
    image: str  # path
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


@register.simple_tag
def embedding(view: MatchView) -> Embedding | None:
    """The texts for the ply shown; None before both armies stand."""
    if view.opening is None:
        return None
    number = view.match.pk
    page = f"{settings.SITE_URL}{reverse('archive:match', args=[number])}"
    page += "" if view.is_newest else f"?ply={view.shown_ply}"
    path = f"{view.address}picture/{view.shown_ply}.png"
    image = f"{settings.SITE_URL}{path}"
    alt = f"{view.names}, {_(view.rules.title)}"
    html = format_html(
        '<a href="{}"><img src="{}" width="{}" height="{}" alt="{}"></a>',
        page,
        image,
        WIDTH // 2,
        HEIGHT // 2,
        alt,
    )
    # Joined, it is plain text again, which a template escapes.
    return Embedding("".join([html]), f"[![{alt}]({image})]({page})", path, alt)


def _description(view: MatchView) -> str:
    game = _(view.rules.title)
    if view.match.is_live:
        return _("%(game)s: a match by correspondence that is being played.") % {"game": game}
    facts = {"game": game, "result": narration.ending(view)}
    return _("%(game)s. %(result)s Replay the match move by move.") % facts
