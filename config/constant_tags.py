"""The tags `translate`, `static` and `url`, which ask only once for what will not change.

Much of a page is fixed words and addresses; looked up anew for each reader, they would cost more
than all the rest of it. What depends on the page (`{% url 'play:match' match.pk %}`) is Django's.
"""

from collections.abc import Callable

from django.template import Context, Library, Node
from django.template.base import Parser, Token
from django.template.defaulttags import url
from django.templatetags import i18n
from django.templatetags.static import do_static
from django.utils.translation import get_language

Tag = Callable[[Parser, Token], Node]


class Constant(Node):
    """A node that is rendered once for each language."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        language = get_language()
        if language not in self._texts:
            self._texts[language] = self._node.render(context)
        return self._texts[language]


def constant(make: Tag) -> Tag:
    """The same tag; where all it is given is one text in quotes, it is rendered once."""

    def tag(parser: Parser, token: Token) -> Node:
        node = make(parser, token)
        _, *given = token.split_contents()
        fixed = len(given) == 1 and given[0][0] == given[0][-1] and given[0][0] in "\"'"
        return Constant(node) if fixed else node

    return tag


register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters
for name, make in {"translate": i18n.do_translate, "static": do_static, "url": url}.items():
    register.tag(name, constant(make))
