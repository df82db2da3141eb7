"""`{% house_box %}`: begins a match against the house by a form of one line, or by the doors."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from games.house.forms import LEVEL_CARDS
from games.rules import registry

register = template.Library()


@register.inclusion_tag("house/_box.html", takes_context=True)
def house_box(context: template.Context) -> dict[str, Any]:
    """Game and level to choose, both with a first choice; visitors are led through the doors."""
    request = context["request"]
    if not request.user.is_authenticated:
        return {"games": ()}
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "games": [(rules[0].key, _(rules[0].title)) for rules in registry.games.values()],
        "levels": [(key, card.title) for key, card in LEVEL_CARDS],
    }
