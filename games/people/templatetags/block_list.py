"""`{% blocked_by_reader person %}`: whether the reader of a page blocks its person."""

from __future__ import annotations

from typing import Any

from django import template

from games.people.blocking import blocks

register = template.Library()


@register.simple_tag(takes_context=True)
def blocked_by_reader(context: template.Context, person: Any) -> bool:
    """Whether the signed-in reader blocks this person; one query.

    Nothing says whether the person blocks the reader.
    """
    return blocks.has_blocked(context["request"].user.pk, person.pk)
