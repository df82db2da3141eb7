"""Mailboxes of From (RFC 5322): a strict parser, linear in its input.

Whoever acts is one mailbox, and mail programs differ in how they mend broken fields. So nothing is
mended: where anything is odd, there is no mailbox at all.
"""

import re

from games.mail.reading.mime.headers import Headers

MAX_FROM_CHARACTERS = 2_000
MAX_NESTED_COMMENTS = 5

LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"{LOCAL}@{LABEL}(?:\.{LABEL}){{0,9}}")
SPECIAL = re.compile(r'[()<>\[\]:;@\\,"]')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class NotAMailbox(ValueError):  # noqa: N818 - caught by those who then know nobody.
    """The field is not a list of plain mailboxes."""


def senders(headers: Headers) -> tuple[str, ...]:
    """Every mailbox of every From field as written; none if one of the fields is odd."""
    found: list[str] = []
    if headers.smuggled:
        return ()
    try:
        for value in headers.all("from"):
            found += read_mailboxes(value)
    except NotAMailbox:
        return ()
    return tuple(found)


def read_mailboxes(value: str) -> list[str]:
    """The addresses of a list of mailboxes; raises NotAMailbox."""
    if len(value) > MAX_FROM_CHARACTERS:
        raise NotAMailbox
    return [_address(words) for words in _split(value)]


def _split(value: str) -> list[list[str]]:
    """The words of each mailbox: quoted names, `<...>`, and what is neither; comments dropped."""
    mailboxes: list[list[str]] = [[]]
    place = 0
    while place < len(value):
        sign = value[place]
        if sign == '"':
            quoted = QUOTED.match(value, place)
            if not quoted:
                raise NotAMailbox
            mailboxes[-1].append(quoted[0])
            place = quoted.end()
        elif sign == "(":
            place = _comment_end(value, place)
        elif sign == "<":
            end = value.find(">", place)
            if end < 0:
                raise NotAMailbox
            mailboxes[-1].append(value[place : end + 1])
            place = end + 1
        elif sign == ",":
            mailboxes.append([])
            place += 1
        else:
            end = place
            while end < len(value) and value[end] not in '"(<,':
                end += 1
            mailboxes[-1] += value[place:end].split()
            place = end
    return mailboxes


def _comment_end(value: str, place: int) -> int:
    depth = 0
    while place < len(value):
        sign = value[place]
        if sign == "\\":
            place += 1
        elif sign == "(":
            depth += 1
            if depth > MAX_NESTED_COMMENTS:
                break
        elif sign == ")":
            depth -= 1
            if not depth:
                return place + 1
        place += 1
    raise NotAMailbox


def _address(words: list[str]) -> str:
    """The address of a mailbox: its one word, or what its last word has in angle brackets."""
    if not words:
        raise NotAMailbox
    *name, last = words
    if last.startswith("<"):
        address = last[1:-1].strip()
    else:
        address = last
        if name:
            raise NotAMailbox
    if not ADDRESS.fullmatch(address):
        raise NotAMailbox
    for word in name:
        # A name that is the very address is written without quotation marks by some programs.
        if not word.startswith('"') and SPECIAL.search(word) and word.lower() != address.lower():
            raise NotAMailbox
    return address
