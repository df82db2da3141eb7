"""Recognizes HTML elements that hold quotations, hide their text, or preserve line breaks."""

import re
from collections.abc import Mapping

# Classes and ids of quotation containers: Gmail, Yahoo and AOL, Thunderbird's attribution line,
# Proton, Tuta, Outlook on phones, Zoho, Front, Mailspring, NetEase, Lark.
CONTAINERS = frozenset(
    (
        "gmail_quote", "gmail_quote_container", "gmail_attr", "gmail_extra", "yahoo_quoted",
        "moz-cite-prefix", "moz-forward-container", "protonmail_quote", "tutanota_quote",
        "ms-outlook-mobile-reference-message", "mail-editor-reference-message-container",
        "zmail_extra", "front-blockquote", "nylas-quote", "isreplycontent", "history-quote-wrapper",
    )
)  # fmt: skip
NAMES = frozenset(("quote", "messagereplysection"))  # GMX and web.de; Spark
# Outlook on the web and its predecessors put the quotation after one of these.
SEPARATORS = frozenset(("appendonsend", "divrplyfwdmsg", "stopspelling"))

HIDDEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|font-size:0(?![.\d]*[1-9])"
    r"|opacity:0(?![.\d]*[1-9])|max-height:0(?![.\d]*[1-9])|line-through|text-indent:-\d{3}"
    r"|(?:left|top):-\d{3}|clip:rect"
)
# Outlook's horizontal line above the quotation header.
OUTLOOK_RULE = re.compile(
    r"border-top:(?:solid#(?:e1e1e1|b5c4df)1\.0pt|1\.0ptsolid#(?:e1e1e1|b5c4df))"
)
# Prefixes that Outlook, Gmail and Yahoo add to class names of other programs.
PREFIX = re.compile(r"(?:x_)+|m_-?\d+|ydp[0-9a-f]+(?=yahoo)")


def is_quotation(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element holds a quotation."""
    if tag == "blockquote":
        return True
    return not CONTAINERS.isdisjoint(_names(attributes)) or (
        tag == "div" and attributes.get("name", "").lower() in NAMES
    )


def ends_own_text(attributes: Mapping[str, str]) -> bool:
    """Whether everything from this element on is a quotation."""
    if not SEPARATORS.isdisjoint(_names(attributes)):
        return True
    return bool(OUTLOOK_RULE.search(_style(attributes)))


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element is invisible or struck out."""
    return "hidden" in attributes or bool(HIDDEN.search(_style(attributes)))


def keeps_lines(attributes: Mapping[str, str]) -> bool:
    """Whether line breaks of the source are shown."""
    return "white-space:pre" in _style(attributes)


def _names(attributes: Mapping[str, str]) -> set[str]:
    words = f"{attributes.get('class', '')} {attributes.get('id', '')}"[:400].lower().split()
    return {word[prefix.end() :] if (prefix := PREFIX.match(word)) else word for word in words}


def _style(attributes: Mapping[str, str]) -> str:
    return "".join(attributes.get("style", "")[:2_000].lower().split())
