"""CSS inlining for HTML e-mails: the styles of templates/mail/base.html, put on the elements.

Many mail programs ignore style sheets. The styles are inlined once per kind of e-mail, into its
template: inlining each e-mail would take nearly as long as rendering it. Rules that cannot be
inlined, the colours for dark mode, stay in the style sheet.
"""

import re
from functools import cache
from typing import Any

from css_inline import CSSInliner
from django.template import engines
from django.template.loader import get_template

BLOCK = re.compile(r"{% block (\w+) %}((?:(?!{% (?:end)?block ).)*){% endblock %}", re.DOTALL)
PART = re.compile(r'{% include "(mail/\w+\.html)" %}')
LOAD = re.compile(r"{% load [^%\n]* %}")
DOCTYPE = "<!doctype html>"
OPENING = re.compile(r"<\w[^<>]*>")
STYLE = re.compile(r"<style>[^<]*</style>")


@cache
def page(name: str) -> Any:
    """The HTML template of an e-mail, with its blocks put into the base and all styles inlined.

    The inliner treats template tags as text, so they must not contain characters that HTML escapes.
    """
    email, base = _source(f"mail/{name}/body.html"), _source("mail/base.html")
    email = PART.sub(lambda part: _source(part[1]), email)
    blocks = dict(BLOCK.findall(email))
    whole = BLOCK.sub(lambda block: blocks[block[1]], base)
    # The document type must come first, or it is ignored.
    tags, doctype, html = whole.partition(DOCTYPE)
    loads = "".join(LOAD.findall(email))
    return engines["django"].from_string(loads + tags + _inliner().inline(doctype + html))


@cache
def tag(html: str) -> str:
    """The last opening tag in a piece of HTML, with its styles inlined."""
    (style,) = STYLE.findall(_source("mail/base.html"))
    tags: list[str] = OPENING.findall(_inliner().inline(style + html))
    return tags[-1]


def _source(path: str) -> str:
    source: str = get_template(path).template.source  # type: ignore[attr-defined]
    return source


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
