"""The tags of config/web/constant_tags.py without a cache: Django's own; `kept` keeps nothing."""

from django.template import Context, Library, Node
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.defaulttags import url
from django.templatetags import i18n
from django.templatetags.static import do_static

register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters
register.tag("static", do_static)
register.tag("url", url)


class Rendered(Node):
    """A `kept` part that is rendered each time."""

    def __init__(self, given: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self._given, self.nodelist = given, nodelist

    def render(self, context: Context) -> str:
        values = {name: value.resolve(context) for name, value in self._given.items()}
        return self.nodelist.render(context.new(values))


@register.tag
def kept(parser: Parser, token: Token) -> Rendered:
    given = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Rendered(given, nodelist)
