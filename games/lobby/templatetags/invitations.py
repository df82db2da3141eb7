"""Words of the lobby for templates."""

from django import template

from games.play import clock
from games.play.templatetags.matches import in_words

register = template.Library()


@register.filter
def span(pace: str) -> str:
    """A time control in words: "3 days"."""
    return in_words(clock.parse(pace).move)
