"""Addresses that settings name: what one looks like, and which ones cannot be right."""

import re
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from kombu.transport import TRANSPORT_ALIASES

Networks = list[IPv4Network | IPv6Network]
Resolver = tuple[str, int]

DNS_PORT = 53
PORTS = range(1, 65536)

DSN = re.compile(r"https?://[^\s/@:]+(:[^\s/@]*)?@[^\s/@]+(/[^\s/]+)*/\d+")
MAILBOX = re.compile(r"imaps?://[^\s/@:]+:[^\s/@]+@[^\s/@]+(?:/[^\s]*)?")
HOST = re.compile(r"\*|[^\s/@\\?#,]+")
_SITE = re.compile(r"https?://[^\s/@\\?#]+(/[^\s?#]*)?")
_MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_LISTEN = re.compile(
    r"(?:lmtp|smtp)://(?:\[[0-9a-f:]+\]|[^\s/:\[\]]+):([0-9]{1,5})|(?:lmtp|smtp):/[^\s/][^\s]*"
)
_RESOLVER = re.compile(r"(?:\[[0-9a-f:]+\]|[0-9.]+)(?::([0-9]{1,5}))?")
# Of what is kept or delivered by this machine itself.
_WITHOUT_HOST = ("dbcache", "filemail", "consolemail", "memorymail", "dummymail")


def is_site(text: str, *, path: bool = False) -> bool:
    """Whether it is scheme, host and perhaps port, and nothing else, or a path."""
    found = _SITE.fullmatch(text)
    return found is not None and (path or not found[1]) and _split(text) is not None


def is_mail(text: str) -> bool:
    return bool(_MAIL.fullmatch(text))


def is_listen(text: str) -> bool:
    found = _LISTEN.fullmatch(text)
    return found is not None and (found[1] is None or int(found[1]) in PORTS)


def is_broker(text: str) -> bool:
    """Whether Celery knows this kind of broker."""
    scheme, separator, _ = text.partition("://")
    known = scheme.partition("+")[0] in TRANSPORT_ALIASES
    # Several brokers stand between semicolons.
    return bool(separator) and known and all(_is_readable(each) for each in text.split(";"))


def names_host(text: str) -> bool:
    """Whether it says on which host, or in which socket, the server is, where it needs one."""
    if text.partition(":")[0] in _WITHOUT_HOST:
        return True
    # Several hosts of one cluster stand between commas.
    parts = _split(text.partition(",")[0])
    return parts is not None and bool(parts.hostname or parts.path.strip("/"))


def names_database(text: str) -> bool:
    """Whether it says which database; SQLite's is a file, or in memory where nothing is named."""
    scheme, _, rest = text.partition(":")
    if scheme == "sqlite":
        return rest.startswith("///") or rest == "//:memory:"
    parts = _split(text)
    return parts is not None and bool(parts.path.strip("/") or "service=" in parts.query)


def resolver(text: str) -> Resolver:
    """Address and port of a DNS server; raises ValueError."""
    found = _RESOLVER.fullmatch(text)
    if found is None or int(found[1] or DNS_PORT) not in PORTS:
        raise ValueError
    host = text.removesuffix(f":{found[1]}") if found[1] else text
    return str(ip_address(host.strip("[]"))), int(found[1] or DNS_PORT)


def _split(text: str) -> SplitResult | None:
    """Its parts; None where there is no host, or no port of that number."""
    try:
        parts = urlsplit(text)
        return parts if parts.port is None or parts.port in PORTS else None
    except ValueError:
        return None


def _is_readable(text: str) -> bool:
    return _split(text) is not None
