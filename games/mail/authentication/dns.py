"""DNS look-ups by MAIL_DNS or the system's server; temporary failures raise DnsAway."""

from __future__ import annotations

from typing import Any

import dns.exception
import dns.resolver
from django.conf import settings

LOOKUP_SECONDS = 5.0
MAX_RECORDS = 20
MAX_RECORD_CHARACTERS = 8 * 1024


class DnsAway(Exception):  # noqa: N818 - the message is as good as before; try again later.
    """No DNS server answered, or it could not find out."""


def texts(name: str) -> list[str]:
    """The TXT records of a name, none if there are none; raises DnsAway."""
    found = ("".join(map(_text, answer.strings)) for answer in _ask(name, "TXT"))
    return [text for text in found if len(text) <= MAX_RECORD_CHARACTERS]


def mail_hosts(name: str) -> list[str]:
    """The names of the MX records, the most wanted first; raises DnsAway."""
    answers = sorted(_ask(name, "MX"), key=lambda answer: answer.preference)
    return [str(answer.exchange).rstrip(".").lower() for answer in answers]


def has_address(name: str) -> bool:
    """Whether a name has an address; raises DnsAway."""
    return bool(_ask(name, "A") or _ask(name, "AAAA"))


def _ask(name: str, kind: str) -> list[Any]:
    try:
        answer = _resolver().resolve(name, kind, lifetime=LOOKUP_SECONDS, search=False)
        return list(answer)[:MAX_RECORDS]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.resolver.YXDOMAIN):
        return []
    # A name that is none: too long, or with an empty part.
    except (dns.exception.SyntaxError, dns.name.LabelTooLong, dns.name.NameTooLong):
        return []
    except dns.name.EmptyLabel:
        return []
    # It timed out, failed, or no server is known. The text would name the domain.
    except (dns.exception.DNSException, OSError):
        raise DnsAway from None


def _resolver() -> dns.resolver.Resolver:
    if settings.MAIL_DNS is None:
        return dns.resolver.Resolver()
    resolver = dns.resolver.Resolver(configure=False)
    host, resolver.port = settings.MAIL_DNS
    resolver.nameservers = [host]
    return resolver


def _text(part: bytes) -> str:
    return part.decode("utf-8", "replace")
