"""`{% house_box %}`: a short form that starts a match against the house."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from games.house.forms import LEVEL_CARDS
from games.rules import registry

register = template.Library()


@register.inclusion_tag("house/_box.html", takes_context=True)
def house_box(context: template.Context) -> dict[str, Any]:
    """The form; visitors see a link to sign up instead."""
    request = context["request"]
    if not request.user.is_authenticated:
        return {"signed_in": False, "site_settings": context.get("site_settings")}
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "signed_in": True,
    }


@register.simple_tag
def house_choices() -> dict[str, Any]:
    """The games and levels to choose from."""
    return {
        "games": [(rules[0].key, _(rules[0].title)) for rules in registry.games.values()],
        "levels": [(key, card.title) for key, card in LEVEL_CARDS],
    }
