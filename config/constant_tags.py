"""Template tags that ask only once for what will not change.

Much of a page is fixed words and addresses; looked up anew for each reader, they would cost more
than all the rest of it. `translate`, `static` and `url` look up a text in quotes once a language;
what depends on the page (`{% url 'play:match' match.pk %}`) is Django's. `kept` does the same for
a part of a page that comes in few varieties. `blocktranslate` puts its words together once.
"""

from collections.abc import Callable

from django.template import Context, Library, Node
from django.template.base import (
    FilterExpression,
    NodeList,
    Parser,
    Token,
    render_value_in_context,
    token_kwargs,
)
from django.template.defaulttags import url
from django.templatetags import i18n
from django.templatetags.static import do_static
from django.utils.translation import get_language, gettext

Tag = Callable[[Parser, Token], Node]

MOST = 1000  # varieties of one part that are kept


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


class Phrase(Node):
    """A sentence with values in it: `blocktranslate`, whose words are put together only once."""

    def __init__(self, node: i18n.BlockTranslateNode) -> None:
        self._node = node
        self._words, self._names = node.render_token_list(node.singular)

    def render(self, context: Context) -> str:
        try:
            values = {name: render_value_in_context(context[name], context) for name in self._names}
            return gettext(self._words) % values
        except (KeyError, ValueError):  # a value is missing, or a translation is malformed
            return self._node.render(context)


def phrase(parser: Parser, token: Token) -> Node:
    """`blocktranslate`; where it is one sentence, with no more to it, it is a Phrase."""
    node = i18n.do_block_translate(parser, token)
    more = (node.plural, node.extra_context, node.message_context, node.asvar)
    return node if any(more) else Phrase(node)


class Kept(Node):
    """A part that is rendered once for each language and each set of values given to it."""

    def __init__(self, given: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self._given, self.nodelist = given, nodelist
        self._texts: dict[tuple[str | None, ...], str] = {}

    def render(self, context: Context) -> str:
        values = {name: value.resolve(context) for name, value in self._given.items()}
        key = (get_language(), *map(str, values.values()))
        if key not in self._texts:
            if len(self._texts) >= MOST:
                self._texts.clear()
            # It sees nothing else: what is forgotten here is missing, and never another reader's.
            self._texts[key] = self.nodelist.render(context.new(values))
        return self._texts[key]


register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters
register.tag("blocktranslate", phrase)
for name, make in {"translate": i18n.do_translate, "static": do_static, "url": url}.items():
    register.tag(name, constant(make))


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """`{% kept name=value ... %}`, to `{% endkept %}`; within, there are these names alone."""
    given = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(given, nodelist)
