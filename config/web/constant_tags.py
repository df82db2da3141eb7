"""Template tags that cache constants: `translate`, `static`, `url` and `kept`.

Much of a page is fixed words and URLs. `translate`, `static` and `url` with one quoted text are
rendered once per language; what depends on the page (`{% url 'play:match' match.pk %}`) is Django's
own. `{% kept %}` does the same for a part of a page that comes in few varieties.

This module exists for speed alone, and nothing but the settings imports it. By instructions of the
web server's process, a match page takes 16 % more without constants and 6 % more without `kept`, an
empty page of the site 28 and 15 % more. To measure the templates alone again:
`python -m tests.bench.constant_tags`.
"""

from collections.abc import Callable
from typing import Any

from django.template import Context, Library, Node
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.defaulttags import url
from django.templatetags import i18n
from django.templatetags.static import do_static
from django.utils.translation import get_language

Tag = Callable[[Parser, Token], Node]

LANGUAGE = "language of the constants"
MAX_KEPT = 1000  # texts of one `kept` part


def _language(context: Context) -> str | None:
    """The language of a rendering, looked up once for dozens of tags."""
    # Django's own `include` keeps its templates there, too.
    cache: dict[Any, Any] = context.render_context.dicts[0]
    if LANGUAGE not in cache:
        cache[LANGUAGE] = get_language()
    language: str | None = cache[LANGUAGE]
    return language


class Constant(Node):
    """A node that is rendered once per language."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        language = _language(context)
        if language not in self._texts:
            self._texts[language] = self._node.render(context)
        return self._texts[language]


def constant(make: Tag) -> Tag:
    """The tag, rendered once per language if its only argument is a quoted text."""

    def tag(parser: Parser, token: Token) -> Node:
        node = make(parser, token)
        _, *given = token.split_contents()
        fixed = len(given) == 1 and given[0][0] == given[0][-1] and given[0][0] in "\"'"
        return Constant(node) if fixed else node

    return tag


class Kept(Node):
    """A part of a page that is rendered once per language and combination of its values."""

    def __init__(self, given: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self._given, self.nodelist = given, nodelist
        self._texts: dict[tuple[str | None, ...], str] = {}

    def render(self, context: Context) -> str:
        values = {name: value.resolve(context) for name, value in self._given.items()}
        key = (_language(context), *map(str, values.values()))
        if key not in self._texts:
            if len(self._texts) >= MAX_KEPT:
                self._texts.clear()
            # Only the given values: a forgotten one is missing, and never from another reader.
            self._texts[key] = self.nodelist.render(context.new(values))
        return self._texts[key]


register = Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters
for name, make in {"translate": i18n.do_translate, "static": do_static, "url": url}.items():
    register.tag(name, constant(make))


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """`{% kept name=value ... %}` to `{% endkept %}`; its part sees these names only."""
    given = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(given, nodelist)
