"""Strict parser of the From field (RFC 5322), in linear time.

Mail programs repair broken From fields in different ways, so a forged one could look like another
sender. Nothing is repaired here: a field with any defect has no mailboxes.
"""

import re

from games.mail.reading.mime.headers import Headers

MAX_FROM_CHARACTERS = 2_000
MAX_NESTED_COMMENTS = 5

LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
LABEL = r"[^\W_](?:[\w-]{0,61}\w)?"  # of an international domain, too (RFC 6531)
ADDRESS = re.compile(rf"{LOCAL}@{LABEL}(?:\.{LABEL}){{0,9}}")
SPECIAL = re.compile(r'[()<>\[\]:;@\\,"]')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class InvalidFromField(ValueError):  # noqa: N818
    """The field is not a list of plain mailboxes."""


def from_addresses(headers: Headers) -> tuple[str, ...]:
    """The addresses of all From fields as written; none if one of the fields is invalid."""
    addresses: list[str] = []
    if headers.has_bare_cr_or_nul:
        return ()
    try:
        for value in headers.all("from"):
            addresses += read_mailboxes(value)
    except InvalidFromField:
        return ()
    return tuple(addresses)


def read_mailboxes(value: str) -> list[str]:
    """The addresses of a mailbox list; raises InvalidFromField."""
    if len(value) > MAX_FROM_CHARACTERS:
        raise InvalidFromField
    return [_address(words) for words in _split(value)]


def _split(value: str) -> list[list[str]]:
    """The words of each mailbox: quoted strings, `<...>`, and atoms; without comments."""
    mailboxes: list[list[str]] = [[]]
    place = 0
    while place < len(value):
        sign = value[place]
        if sign == '"':
            quoted = QUOTED.match(value, place)
            if not quoted:
                raise InvalidFromField
            mailboxes[-1].append(quoted[0])
            place = quoted.end()
        elif sign == "(":
            place = _comment_end(value, place)
        elif sign == "<":
            end = value.find(">", place)
            if end < 0:
                raise InvalidFromField
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
    raise InvalidFromField


def _address(words: list[str]) -> str:
    """The address of a mailbox: its only word, or the last word in angle brackets."""
    if not words:
        raise InvalidFromField
    *name, last = words
    if last.startswith("<"):
        address = last[1:-1].strip()
    else:
        address = last
        if name:
            raise InvalidFromField
    if not ADDRESS.fullmatch(address):
        raise InvalidFromField
    for word in name:
        # Some programs repeat the address as the display name, without quotation marks.
        if not word.startswith('"') and SPECIAL.search(word) and word.lower() != address.lower():
            raise InvalidFromField
    return address
