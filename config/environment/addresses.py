"""Syntax of addresses in settings: URLs, e-mail addresses, sockets, brokers, DNS servers."""

import re
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

Networks = list[IPv4Network | IPv6Network]
Resolver = tuple[str, int]

DNS_PORT = 53
PORTS = range(1, 65536)

DSN = re.compile(r"https?://[^\s/@:]+(:[^\s/@]*)?@[^\s/@]+(/[^\s/]+)*/\d+")
MAILBOX = re.compile(r"imaps?://[^\s/@:]+:[^\s/@]+@[^\s/@]+(?:/[^\s]*)?")
HOST = re.compile(r"[^\s/@\\?#,*]+")
_SITE = re.compile(r"https?://[^\s/@\\?#]+(/[^\s?#]*)?")
_MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_LISTEN = re.compile(
    r"(?:lmtp|smtp)://(?:\[[0-9a-f:]+\]|[^\s/:\[\]]+):([0-9]{1,5})|(?:lmtp|smtp):/[^/\n][^\n]*"
)
_SQLITE = re.compile(r"sqlite:///((?:[^%?#]|%[0-9A-Fa-f]{2})+)")
_RESOLVER = re.compile(r"(?:\[[0-9a-f:]+\]|[0-9.]+)(?::([0-9]{1,5}))?")
FILE_BROKER = "filesystem://localhost"  # config/processes/file_broker.py
_TEST_BROKER = "memory://localhost"  # within one process
_BROKERS = ("redis", "rediss", "redis+socket")
# Schemes that need no host: this machine stores or delivers itself.
_WITHOUT_HOST = ("dbcache", "filemail", "consolemail", "memorymail", "dummymail")


def is_site(text: str, *, path: bool = False) -> bool:
    """Whether the text is scheme, host and optional port; with `path`, a path may follow."""
    parsed = _SITE.fullmatch(text)
    return parsed is not None and (path or not parsed[1]) and _split(text) is not None


def is_mail(text: str) -> bool:
    return bool(_MAIL.fullmatch(text))


def is_listen(text: str) -> bool:
    parsed = _LISTEN.fullmatch(text)
    return parsed is not None and (parsed[1] is None or int(parsed[1]) in PORTS)


def is_broker(text: str) -> bool:
    """Whether the text is the address of Redis, the default, or that of the tests.

    Celery knows more kinds, but none other is tested to survive the loss of its connection.
    """
    # Several brokers are separated by semicolons.
    return text in (FILE_BROKER, _TEST_BROKER) or all(
        "://" in each and each.partition("://")[0] in _BROKERS and names_host(each)
        for each in text.split(";")
    )


def names_host(text: str) -> bool:
    """Whether the URL names a host or a socket, or its scheme needs none."""
    if text.partition(":")[0] in _WITHOUT_HOST:
        return True
    # Several hosts of one cluster are separated by commas.
    parts = _split(text.partition(",")[0])
    return parts is not None and bool(parts.hostname or parts.path.strip("/"))


def sqlite_file(text: str) -> str:
    """The file that a SQLite URL names, or ":memory:"; raises ValueError.

    A "?" or "#" would end the path, so that the file would be another one.
    """
    if text == "sqlite://:memory:":
        return ":memory:"
    parsed = _SQLITE.fullmatch(text)
    if parsed is None:
        raise ValueError
    # Absolute, since SQLite takes a name that begins with "file:" for a URL.
    return str(Path(unquote(parsed[1], errors="strict")).absolute())


def names_database(text: str) -> bool:
    """Whether the URL names a database of a server."""
    parts = _split(text)
    return parts is not None and bool(parts.path.strip("/") or "service=" in parts.query)


def resolver(text: str) -> Resolver:
    """Address and port of a DNS server; raises ValueError."""
    parsed = _RESOLVER.fullmatch(text)
    if parsed is None or int(parsed[1] or DNS_PORT) not in PORTS:
        raise ValueError
    host = text.removesuffix(f":{parsed[1]}") if parsed[1] else text
    return str(ip_address(host.strip("[]"))), int(parsed[1] or DNS_PORT)


def _split(text: str) -> SplitResult | None:
    """The parts of a URL; None if it cannot be parsed or its port is out of range."""
    try:
        parts = urlsplit(text)
        return parts if parts.port is None or parts.port in PORTS else None
    except ValueError:
        return None
