"""Converts HTML to lines of text as a reader would see them, without hidden text.

Python's parser takes quadratic time on broken HTML (unclosed comments, declarations and tags, each
searched for to the end of the text). So one linear pass first removes everything but whole tags.
"""

import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from games.mail.reading.grammar.line_cleaning import MAX_LINE_CHARACTERS
from games.mail.reading.text.html_quotations import (
    ends_own_text,
    is_hidden,
    is_quotation,
    keeps_lines,
)
from games.mail.reading.text.own_lines import MAX_LINES, Line

MAX_HTML_CHARACTERS = 256 * 1024
MAX_TAG_CHARACTERS = 4_000
MAX_TAGS = 20_000
MAX_DEPTH = 100  # of nested elements; deeper text is skipped

# Opening and closing of markup that is removed with its content.
SKIPPED = (("<!--", "-->"), ("<![", ">"), ("<!", ">"), ("<?", ">"))
UNREAD_TAGS = (
    "style", "script", "title", "textarea", "template", "noscript", "select", "svg", "object",
)  # fmt: skip
# Tag names are ASCII; without the flag a dotless i would match an i.
UNREAD = re.compile(rf"<((?a:{'|'.join(UNREAD_TAGS)}))\b", re.IGNORECASE)
END_OF_UNREAD = {tag: re.compile(rf"</(?a:{tag})\s*>", re.IGNORECASE) for tag in UNREAD_TAGS}
TAG = re.compile(r"</?[A-Za-z]")
# Possessive quantifiers: a tag without an end takes linear time.
WHOLE_TAG = re.compile(r"""</?[A-Za-z](?:=\s*+(?:"[^"]*+"|'[^']*+')|[^>])*+>""")

BLOCKS = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt",
        "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
        "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot",
        "th", "thead", "tr", "ul",
    )
)  # fmt: skip
VOID = frozenset(
    (
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    )
)  # fmt: skip
# Open elements that a start tag closes implicitly, as in browsers.
CLOSES = {
    "p": {"p"}, "li": {"li", "p"}, "td": {"td", "th", "p"}, "th": {"td", "th", "p"},
    "tr": {"td", "th", "tr", "p"}, "dt": {"dt", "dd", "p"}, "dd": {"dt", "dd", "p"},
}  # fmt: skip
STRUCK = frozenset(("s", "strike", "del"))
BLANKS = re.compile(r"[ \t\r\n\f]+")


def html_lines(html: str, max_lines: int = MAX_LINES) -> list[Line]:
    """The lines of an HTML text, at most `max_lines`; those in quotation containers are not own."""
    reader = _Reader(max_lines)
    reader.feed(_clean(html[:MAX_HTML_CHARACTERS]))
    reader.close()
    reader.end_line()
    return reader.lines


def _clean(html: str) -> str:
    """The text and whole tags, without comments, declarations, scripts and broken markup."""
    parts: list[str] = []
    place = tags = 0
    while True:
        start = html.find("<", place)
        if start < 0:
            parts.append(html[place:])
            break
        parts.append(html[place:start])
        end = _end_of_markup(html, start)
        if end < 0 or tags == MAX_TAGS:
            break
        if TAG.match(html, start) and not UNREAD.match(html, start):
            parts.append(html[start:end])
            tags += 1
        elif end == start + 1:
            parts.append("&lt;")
        place = end
    return "".join(parts)


def _end_of_markup(html: str, start: int) -> int:
    """End of the markup that a `<` begins; -1 if it has none, and the rest is dropped."""
    for opening, closing in SKIPPED:
        if html.startswith(opening, start):
            end = html.find(closing, start + len(opening))
            return end + len(closing) if end >= 0 else -1
    if not TAG.match(html, start):
        return start + 1
    if unread := UNREAD.match(html, start):
        closed = END_OF_UNREAD[unread[1].lower()].search(html, start)
        return closed.end() if closed else -1
    whole = WHOLE_TAG.match(html, start, start + MAX_TAG_CHARACTERS)
    return whole.end() if whole else -1


@dataclass(frozen=True)
class _Element:
    tag: str = ""
    hidden: bool = False
    quoted: bool = False
    preformatted: bool = False


OUTSIDE = _Element()


class _Reader(HTMLParser):
    def __init__(self, max_lines: int) -> None:
        super().__init__(convert_charrefs=True)
        self.max_lines = max_lines
        self.lines: list[Line] = []
        self.open: list[_Element] = []
        self.line: list[str] = []
        self.width = 0
        self.below_own_text = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS or tag == "br":
            self.end_line()
        attributes = {name: value or "" for name, value in attrs}
        self.below_own_text = self.below_own_text or ends_own_text(attributes)
        if tag in VOID:
            return
        while self.open and self.open[-1].tag in CLOSES.get(tag, ()):
            self.open.pop()
        around = self.around
        quoted = around.quoted or is_quotation(tag, attributes)
        if quoted and not around.quoted:
            self.end_line()
        if len(self.open) < MAX_DEPTH:
            hidden = around.hidden or tag in STRUCK or is_hidden(attributes)
            preformatted = around.preformatted or tag == "pre" or keeps_lines(attributes)
            self.open.append(_Element(tag, hidden, quoted, preformatted))
        else:
            self.open[-1] = replace(self.open[-1], hidden=True)

    @property
    def around(self) -> _Element:
        """The innermost open element."""
        return self.open[-1] if self.open else OUTSIDE

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS or self.around.quoted:
            self.end_line()
        for number in range(len(self.open) - 1, -1, -1):
            if self.open[number].tag == tag:
                del self.open[number:]
                break

    def handle_data(self, data: str) -> None:
        if self.around.hidden:
            return
        if not self.around.preformatted:
            self._add(BLANKS.sub(" ", data))
            return
        first, *others = data.replace("\r\n", "\n").split("\n", self.max_lines)
        self._add(first)
        for text in others:
            self.end_line()
            self._add(text)

    def _add(self, text: str) -> None:
        # One character more than the limit is kept, so that a cut line is not a command.
        if self.width <= MAX_LINE_CHARACTERS:
            self.line.append(text)
            self.width += len(text.strip(" "))

    def end_line(self) -> None:
        """Finish the current line."""
        if self.line and len(self.lines) < self.max_lines:
            quoted = self.below_own_text or self.around.quoted
            text = "".join(self.line)[: 4 * MAX_LINE_CHARACTERS].strip(" ")
            self.lines.append(Line(text[: MAX_LINE_CHARACTERS + 1], is_own=not quoted))
        self.line, self.width = [], 0
