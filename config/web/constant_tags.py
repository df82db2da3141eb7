"""Template tags that cache constants: `translate`, `static`, `url`, `include`, `kept` and more.

Much of a page is fixed words and URLs. `translate`, `static` and `url` with one quoted text are
rendered once per language; tags with other arguments (`{% url 'play:match' match.pk %}`) are
Django's own. `{% kept %}` does the same for a part of a page with few variants; `blocktranslate`
assembles its words once, and `include` looks up its template once.

This module exists for speed alone, and nothing but the settings imports it. The templates of a
match page take 3.97 ms of processor time with it and 7.72 ms without, 2.0 times as much (medians of
nine rounds in turns, on a machine with two cores). To measure it again:
`python -m tests.bench.constant_tags`.
"""

from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.template import Context, Library, Node, Template
from django.template.base import (
    FilterExpression,
    NodeList,
    Parser,
    Token,
    render_value_in_context,
    token_kwargs,
)
from django.template.defaulttags import url
from django.template.loader_tags import do_include
from django.templatetags import i18n
from django.templatetags.static import do_static
from django.utils.translation import get_language, gettext

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


class Phrase(Node):
    """`blocktranslate` of one sentence, whose words are assembled once."""

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
    """The tag `blocktranslate`: a Phrase if it is one sentence without options."""
    node = i18n.do_block_translate(parser, token)
    more = (node.plural, node.extra_context, node.message_context, node.asvar)
    return node if any(more) else Phrase(node)


class Included(Node):
    """`include` of a template by its name, which is looked up once."""

    def __init__(self, name: str, given: dict[str, FilterExpression]) -> None:
        self._name, self._given = name, given
        self._template: Template | None = None  # a template may include itself

    def render(self, context: Context) -> str:
        if self._template is None:
            self._template = cast(Template, context.template).engine.get_template(self._name)
        with context.push(**{name: each.resolve(context) for name, each in self._given.items()}):
            return self._template.render(context)


def include(parser: Parser, token: Token) -> Node:
    """The tag `include`: an Included if it names a template and passes the whole context.

    With DEBUG it is Django's own, which reloads changed templates.
    """
    node = do_include(parser, token)
    named = isinstance(node.template.var, str) and not node.template.filters
    if settings.DEBUG or not named or node.isolated_context:
        return node
    return Included(node.template.var, node.extra_context)


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
register.tag("blocktranslate", phrase)
register.tag("include", include)
for name, make in {"translate": i18n.do_translate, "static": do_static, "url": url}.items():
    register.tag(name, constant(make))


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """`{% kept name=value ... %}` to `{% endkept %}`; its part sees these names only."""
    given = token_kwargs(token.split_contents()[1:], parser)
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(given, nodelist)
