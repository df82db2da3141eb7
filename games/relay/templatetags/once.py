"""`{% once %}` in a form lets it act once, however often it is sent."""

from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.relay.middleware import FIELD
from games.relay.once import new_key

register = Library()


@register.simple_tag
def once() -> SafeString:
    """A hidden field with a key of its own for each form."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, new_key())
