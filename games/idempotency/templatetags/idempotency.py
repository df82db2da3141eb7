"""`{% idempotency_key %}` in a form: however often it is sent, it acts once."""

from typing import Any

from django.template import Context, Library
from django.utils.safestring import SafeString, mark_safe

from games.idempotency.middleware import FIELD
from games.idempotency.replay import new_key

register = Library()


@register.simple_tag(takes_context=True)
def idempotency_key(context: Context) -> SafeString:
    """A hidden field with a key of its own for each form; a visitor's needs none."""
    user: Any = context["request"].user
    if user.pk is None:
        return SafeString("")
    html = f'<input type="hidden" name="{FIELD}" value="{new_key(user.pk)}">'
    return mark_safe(html)  # noqa: S308 - a constant, and hexadecimal digits
