"""Authentication results (RFC 8601): what our own mail server found out about a sender's domain."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from authres import AuthenticationResultsHeader
from django.conf import settings

MAX_HEADERS = 20
MAX_HEADER_CHARACTERS = 8 * 1024


class Result(NamedTuple):
    """What one method found: "dmarc", "pass", {"header.from": "example.org"}."""

    method: str
    word: str
    facts: dict[str, str]


def vouches_for(domain: str, headers: Iterable[str]) -> bool:
    """Whether our mail server found that a message comes from the domain of its From.

    `headers` are the values of Authentication-Results that stand above the second Received, top
    first; those of others count for nothing.
    """
    results = [result for header in list(headers)[:MAX_HEADERS] for result in read(header)]
    dmarc = next((result for result in results if result.method == "dmarc"), None)
    if dmarc is None:
        return False
    if dmarc.word == "pass":
        return _is(domain, dmarc.facts.get("header.from"))
    if dmarc.word != "none":
        return False
    # The domain publishes no policy; then a signature or a sender of that very domain will do.
    return any(
        result.word == "pass"
        and (
            (result.method == "dkim" and _is(domain, result.facts.get("header.d")))
            or (result.method == "spf" and _is(domain, result.facts.get("smtp.mailfrom")))
        )
        for result in results
    )


def read(header: str) -> list[Result]:
    """The results of one header, if it is ours; none if it cannot be read."""
    if len(header) > MAX_HEADER_CHARACTERS:
        return []
    try:
        # Some servers end with the sign that stands between results.
        parsed = AuthenticationResultsHeader.parse_value(header.rstrip(" \t;").lstrip())
        if str(parsed.authserv_id).lower() != settings.MAIL_AUTHSERV_ID.lower():
            return []
        return [
            Result(
                str(result.method).lower(),
                str(result.result).lower(),
                _facts(result.properties),
            )
            for result in parsed.results
        ]
    except Exception:
        # The library raises whatever it comes upon; what cannot be read vouches for nobody.
        return []


def _facts(properties: Iterable[Any]) -> dict[str, str]:
    """What a result is about by its names; what is said of it in two ways is said in none."""
    facts: dict[str, set[str]] = {}
    for fact in properties:
        facts.setdefault(f"{fact.type}.{fact.name}".lower(), set()).add(str(fact.value))
    return {name: values.pop() for name, values in facts.items() if len(values) == 1}


def _is(domain: str, found: str | None) -> bool:
    name = (found or "").rpartition("@")[2].rstrip(".").lower()
    return bool(name) and name == domain.rstrip(".").lower()
