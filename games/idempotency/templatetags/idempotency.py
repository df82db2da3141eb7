"""`{% idempotency_key %}` in a form: however often it is sent, it acts once."""

from typing import Any

from django.template import Context, Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.idempotency.middleware import FIELD
from games.idempotency.replay import new_key

register = Library()


@register.simple_tag(takes_context=True)
def idempotency_key(context: Context) -> SafeString:
    """A hidden field with a key of its own for each form; a visitor's needs none."""
    user: Any = context["request"].user
    if user.pk is None:
        return SafeString("")
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, new_key(user.pk))
