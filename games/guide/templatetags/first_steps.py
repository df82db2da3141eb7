"""Template tag `{% first_steps %}`: the onboarding card on the front page."""

from typing import Any

from django.template import Library

from accounts.models import User
from games.guide import onboarding, progress
from games.guide.lesson_view import address
from games.rules import registry

register = Library()


@register.inclusion_tag("help/_first_steps.html", takes_context=True)
def first_steps(context: dict[str, Any]) -> dict[str, Any]:
    """The card, until it is dismissed; once all steps are done, it is shown a last time."""
    user: User = context["request"].user
    if not user.first_steps:
        return {}
    done = onboarding.steps_done(user)
    if done.are_done:
        onboarding.dismiss_card(user)
    return {
        "steps": done,
        "games": [
            {"title": editions[0].title, "address": address(lesson)}
            for family, editions in registry.games.items()
            if (lesson := progress.next_lesson(user, family))
        ],
        "example": registry.editions()[0].key,
        "csrf_token": context.get("csrf_token"),
        "request": context["request"],
    }
