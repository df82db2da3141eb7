"""`{% idempotency_key %}` in a form: however often it is sent, it acts once."""

from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.outbox.idempotency import new_key
from games.outbox.middleware import FIELD

register = Library()


@register.simple_tag
def idempotency_key() -> SafeString:
    """A hidden field with a key of its own for each form."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, new_key())
