"""CSS inlining for HTML e-mails: the styles of templates/mail/base.html, put on the elements.

Mail programs heed few style sheets. Each kind of e-mail has its styles put in once, as a template:
done for each e-mail, it would take nearly as long as filling in all its templates. What cannot be a
style of an element, the colours for the dark, stays where it is.
"""

import re
from functools import cache
from typing import Any

from css_inline import CSSInliner
from django.template import engines
from django.template.loader import get_template

BLOCK = re.compile(r"{% block (\w+) %}((?:(?!{% (?:end)?block ).)*+){% endblock %}", re.DOTALL)
PART = re.compile(r'{% include "(mail/\w+\.html)" %}')
LOAD = re.compile(r"{% load [^%\n]* %}")
DOCTYPE = "<!doctype html>"
OPENING = re.compile(r"<\w[^<>]*>")
STYLE = re.compile(r"<style>[^<]*</style>")


@cache
def page(name: str) -> Any:
    """The template of an e-mail's HTML: its blocks stand in the base's places, and all is styled.

    Its tags are text to what styles it, so none may hold a sign that HTML would write otherwise.
    """
    email, base = _source(f"mail/{name}/body.html"), _source("mail/base.html")
    email = PART.sub(lambda part: _source(part[1]), email)
    blocks = dict(BLOCK.findall(email))
    whole = BLOCK.sub(lambda block: blocks[block[1]], base)
    # Nothing may come before the document type, or it counts for nothing.
    tags, doctype, html = whole.partition(DOCTYPE)
    loads = "".join(LOAD.findall(email))
    return engines["django"].from_string(loads + tags + _inliner().inline(doctype + html))


@cache
def tag(html: str) -> str:
    """The last opening tag of a piece of HTML, with the styles that it has in an e-mail."""
    (style,) = STYLE.findall(_source("mail/base.html"))
    tags: list[str] = OPENING.findall(_inliner().inline(style + html))
    return tags[-1]


def _source(path: str) -> str:
    source: str = get_template(path).template.source  # type: ignore[attr-defined]
    return source


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
