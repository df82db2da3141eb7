"""Signatures (DKIM) checked by ourselves, and held against the policy (DMARC) of a domain.

A signature counts if it signs From and the whole body, and is of the sender's very domain; or of
another of the same organization, where a policy is published that allows that. Each message costs a
bounded time: the library's patterns take hours over a megabyte of blanks.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from itertools import islice

from authheaders import dmarc_lookup
from dkim import DKIM, DKIMException
from dkim.util import InvalidTagValueList, parse_tag_value

from games.mail.authentication import dns
from games.mail.reading.mime.headers import read_headers
from games.mail.reading.mime.limits import MAX_HEADER_BYTES, header_end

MAX_SIGNATURES = 10  # that are looked at
MAX_LOOKUPS = 3  # whose key is asked for
MAX_SIGNATURE_BYTES = 4 * 1024
MAX_BLANKS_IN_SIGNATURE = 32  # one after the other
# The time goes with the square of the blanks in a row: about a second for this sum of squares.
MAX_SQUARED_BLANKS = 20_000_000
BLANKS = re.compile(rb"[ \t]{32,}")
LONG_BLANKS = re.compile(rb"\s{%d,}" % (MAX_BLANKS_IN_SIGNATURE + 1))
ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")  # RFC 8301 took SHA-1 out.

# The library's log would name domains.
_silent = logging.Logger("games.mail.authentication.dkim_signatures", logging.CRITICAL + 1)


def is_signed_for(domain: str, raw: bytes) -> bool:
    """Whether a message carries a good signature for the domain of its From; raises DnsAway."""
    domain = domain.rstrip(".").lower()
    if not _can_be_checked(raw):
        return False
    try:
        message = DKIM(raw, logger=_silent)
    except DKIMException:
        return False
    candidates = sorted(_candidates(message, domain), key=lambda found: found[1] != domain)
    for index, signer in candidates[:MAX_LOOKUPS]:
        if _verifies(message, index) and (signer == domain or _allows_relatives(domain)):
            return True
    return False


def _can_be_checked(raw: bytes) -> bool:
    if header_end(raw) > MAX_HEADER_BYTES or read_headers(raw).smuggled:
        return False
    return sum(len(run[0]) ** 2 for run in BLANKS.finditer(raw)) <= MAX_SQUARED_BLANKS


def _candidates(message: DKIM, domain: str) -> list[tuple[int, str]]:
    """Signatures that would count if they are good: their number, and the domain that signed."""
    fields = (value for name, value in message.headers if name.lower() == b"dkim-signature")
    found = []
    for index, field in enumerate(islice(fields, MAX_SIGNATURES)):
        signer = _signer(field)
        if signer and (signer == domain or _organization(signer) == _organization(domain)):
            found.append((index, signer))
    return found


def _signer(field: bytes) -> str:
    """The domain of a signature; "" for one that signs too little, or cannot be read."""
    if len(field) > MAX_SIGNATURE_BYTES or LONG_BLANKS.search(field):
        return ""
    try:
        tags = parse_tag_value(field)
    except InvalidTagValueList:
        return ""
    # Under `l` anybody may add lines at the end, and without From in `h` say who wrote them.
    signed = {name.strip().lower() for name in tags.get(b"h", b"").split(b":")}
    if b"l" in tags or tags.get(b"a") not in ALGORITHMS or b"from" not in signed:
        return ""
    return str(tags.get(b"d", b"").decode("ascii", "replace").rstrip(".").lower())


def _verifies(message: DKIM, index: int) -> bool:
    try:
        return bool(message.verify(idx=index, dnsfunc=_key))
    except dns.DnsAway:
        raise
    except Exception:
        # The library raises whatever it comes upon; what cannot be checked signs for nobody.
        return False


def _key(name: bytes, timeout: float = dns.LOOKUP_SECONDS) -> bytes | None:
    """The public key that a domain publishes for a selector, as the library asks for it."""
    found = dns.texts(name.decode("ascii", "replace"))
    return found[0].encode() if len(found) == 1 else None


def _allows_relatives(domain: str) -> bool:
    """Whether the domain publishes a policy by which others of its organization may sign."""
    try:
        policy, _is_of_organization = dmarc_lookup.receiver_record(domain, dnsfunc=_policy)
    except dmarc_lookup.DMARCException:
        return False
    return bool(policy.get("p")) and policy.get("adkim", "r") == "r"


def _policy(name: str) -> str | None:
    """The one DMARC record of a name; two are none (RFC 7489, 6.6.3)."""
    found = [text for text in dns.texts(name) if text.startswith("v=DMARC1")]
    return found[0] if len(found) == 1 else None


@lru_cache(1024)
def _organization(domain: str) -> str:
    """The registered domain; the library reads its whole list of public suffixes each time."""
    return str(dmarc_lookup.get_org_domain(domain))
