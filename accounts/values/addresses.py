"""E-mail addresses in one canonical form, so that one mailbox is one account."""

import re

import idna

from lib.spelling import typed_text

MAX_DOMAIN_CHARACTERS = 253
# A local part that is quoted without need: "ann"@example.org is ann@example.org.
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
QUOTED = re.compile(rf'"({ATOM}(?:\.{ATOM})*)"')


def canonical(address: str) -> str:
    """The address in lower case, without needless quotes, its domain in ASCII (`xn--...`).

    What is not an address is only normalized; whether it is one is checked elsewhere.
    """
    local, at, domain = typed_text.plain(address).lower().rpartition("@")
    if quoted := QUOTED.fullmatch(local):
        local = quoted[1]
    return f"{local}{at}{_ascii(domain)}"


def with_ascii_domain(address: str) -> str | None:
    """A sender's address in lower case, its domain in ASCII; None if the domain is no domain.

    Unlike `canonical`, nothing is repaired: a domain in letters that only look like others, such
    as full width ones, is not the one that our mail server has authenticated.
    """
    local, at, domain = address.lower().rpartition("@")
    try:
        return f"{local}{at}{domain if domain.isascii() else idna.encode(domain).decode()}"
    except idna.IDNAError:
        return None


def _ascii(domain: str) -> str:
    domain = domain.rstrip(".")
    if domain.isascii() or len(domain) > MAX_DOMAIN_CHARACTERS:
        return domain
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return domain
