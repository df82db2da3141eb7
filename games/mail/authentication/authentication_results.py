"""Authentication-Results (RFC 8601): whether our own mail server authenticated the From domain."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from authres import AuthenticationResultsHeader
from django.conf import settings

MAX_HEADERS = 20
MAX_HEADER_CHARACTERS = 8 * 1024


class MethodResult(NamedTuple):
    """The result of one method: "dmarc", "pass", {"header.from": "example.org"}."""

    method: str
    result: str
    properties: dict[str, str]


def authenticates(domain: str, headers: Iterable[str]) -> bool:
    """Whether our mail server authenticated a message of the From domain `domain`.

    `headers`: the Authentication-Results above the second Received, topmost first. Fields of other
    servers are ignored.
    """
    results = [result for header in list(headers)[:MAX_HEADERS] for result in read(header)]
    dmarc = next((result for result in results if result.method == "dmarc"), None)
    if dmarc is None:
        return False
    if dmarc.result == "pass":
        return _matches(domain, dmarc.properties.get("header.from"))
    if dmarc.result != "none":
        return False
    # The domain publishes no DMARC policy: DKIM or SPF must pass in strict alignment.
    return any(
        result.result == "pass"
        and (
            (result.method == "dkim" and _matches(domain, result.properties.get("header.d")))
            or (result.method == "spf" and _matches(domain, result.properties.get("smtp.mailfrom")))
        )
        for result in results
    )


def read(header: str) -> list[MethodResult]:
    """The results in one field; none if it is of another server or cannot be parsed."""
    if len(header) > MAX_HEADER_CHARACTERS:
        return []
    try:
        # Some servers add a separator at the end.
        parsed = AuthenticationResultsHeader.parse_value(header.rstrip(" \t;").lstrip())
        if str(parsed.authserv_id).lower() != settings.MAIL_AUTHSERV_ID.lower():
            return []
        return [
            MethodResult(
                str(result.method).lower(),
                str(result.result).lower(),
                _properties(result.properties),
            )
            for result in parsed.results
        ]
    except Exception:
        # The library raises exceptions of any type; a field it cannot parse does not count.
        return []


def _properties(properties: Iterable[Any]) -> dict[str, str]:
    """The properties of a result by name, as in "header.from"; conflicting ones are dropped."""
    by_name: dict[str, set[str]] = {}
    for each in properties:
        by_name.setdefault(f"{each.type}.{each.name}".lower(), set()).add(str(each.value))
    return {name: values.pop() for name, values in by_name.items() if len(values) == 1}


def _matches(domain: str, value: str | None) -> bool:
    name = (value or "").rpartition("@")[2].rstrip(".").lower()
    return bool(name) and name == domain.rstrip(".").lower()
