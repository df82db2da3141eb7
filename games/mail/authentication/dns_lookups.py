"""DNS lookups with MAIL_DNS or the system resolver; temporary failures raise DnsUnavailable."""

from __future__ import annotations

from typing import Any

import dns.exception
import dns.resolver
from django.conf import settings

LOOKUP_SECONDS = 5.0
MAX_RECORDS = 20
MAX_RECORD_CHARACTERS = 8 * 1024


class DnsUnavailable(Exception):  # noqa: N818
    """Temporary failure: no DNS server answered, or it could not resolve the name."""


def txt_records(name: str) -> list[str]:
    """The TXT records of a name; raises DnsUnavailable."""
    records = ("".join(map(_text, answer.strings)) for answer in _ask(name, "TXT"))
    return [text for text in records if len(text) <= MAX_RECORD_CHARACTERS]


def mx_hosts(name: str) -> list[str]:
    """The MX hosts of a name, most preferred first; raises DnsUnavailable."""
    answers = sorted(_ask(name, "MX"), key=lambda answer: answer.preference)
    return [str(answer.exchange).rstrip(".").lower() for answer in answers]


def has_address(name: str) -> bool:
    """Whether a name has an A or AAAA record; raises DnsUnavailable."""
    return bool(_ask(name, "A") or _ask(name, "AAAA"))


def _ask(name: str, kind: str) -> list[Any]:
    try:
        answer = _resolver().resolve(name, kind, lifetime=LOOKUP_SECONDS, search=False)
        return list(answer)[:MAX_RECORDS]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.resolver.YXDOMAIN):
        return []
    # Invalid names: too long, or with an empty label.
    except (dns.exception.SyntaxError, dns.name.LabelTooLong, dns.name.NameTooLong):
        return []
    except dns.name.EmptyLabel:
        return []
    # Timeout, server failure, or no resolver. The exception text would name the domain.
    except (dns.exception.DNSException, OSError):
        raise DnsUnavailable from None


def _resolver() -> dns.resolver.Resolver:
    if settings.MAIL_DNS is None:
        return dns.resolver.Resolver()
    resolver = dns.resolver.Resolver(configure=False)
    host, resolver.port = settings.MAIL_DNS
    resolver.nameservers = [host]
    return resolver


def _text(part: bytes) -> str:
    return part.decode("utf-8", "replace")
