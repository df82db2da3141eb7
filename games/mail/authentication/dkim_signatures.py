"""Verifies DKIM signatures and their DMARC alignment with the From domain.

A signature counts if it covers From and the whole body, and its domain is the From domain. A domain
of the same organization counts too if the From domain publishes a DMARC policy with relaxed
alignment. The time per message is bounded: the library's patterns take hours on a megabyte of
spaces.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from itertools import islice

from authheaders import dmarc_lookup
from dkim import DKIM, DKIMException
from dkim.util import InvalidTagValueList, parse_tag_value

from games.mail.authentication import dns_lookups
from games.mail.reading.mime.headers import read_headers
from games.mail.reading.mime.limits import MAX_HEADER_BYTES, header_end

MAX_SIGNATURES = 10  # parsed per message
MAX_LOOKUPS = 3  # keys fetched per message
MAX_SIGNATURE_BYTES = 4 * 1024
MAX_BLANKS_IN_SIGNATURE = 32  # consecutive
# Time grows with the square of consecutive spaces: about a second for this sum of squares.
MAX_SQUARED_BLANKS = 20_000_000
BLANKS = re.compile(rb"[ \t]{32,}")
LONG_BLANKS = re.compile(rb"\s{%d,}" % (MAX_BLANKS_IN_SIGNATURE + 1))
ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")  # RFC 8301 forbids SHA-1.

# The library would log domains.
_silent = logging.Logger("games.mail.authentication.dkim_signatures", logging.CRITICAL + 1)


def has_valid_signature(domain: str, raw: bytes) -> bool:
    """Whether a valid, aligned signature covers the message; raises DnsUnavailable.

    `domain` is the From domain.
    """
    domain = domain.rstrip(".").lower()
    if not _can_be_checked(raw):
        return False
    try:
        message = DKIM(raw, logger=_silent)
    except DKIMException:
        return False
    candidates = sorted(_candidates(message, domain), key=lambda candidate: candidate[1] != domain)
    for index, signer in candidates[:MAX_LOOKUPS]:
        if _verifies(message, index) and (signer == domain or _allows_relaxed_alignment(domain)):
            return True
    return False


def _can_be_checked(raw: bytes) -> bool:
    if header_end(raw) > MAX_HEADER_BYTES or read_headers(raw).has_bare_cr_or_nul:
        return False
    return sum(len(run[0]) ** 2 for run in BLANKS.finditer(raw)) <= MAX_SQUARED_BLANKS


def _candidates(message: DKIM, domain: str) -> list[tuple[int, str]]:
    """Signatures that would count if valid: their index and domain."""
    fields = (value for name, value in message.headers if name.lower() == b"dkim-signature")
    candidates = []
    for index, field in enumerate(islice(fields, MAX_SIGNATURES)):
        signer = _signer(field)
        if signer and (signer == domain or _organization(signer) == _organization(domain)):
            candidates.append((index, signer))
    return candidates


def _signer(field: bytes) -> str:
    """The domain of a signature; "" if it covers too little or cannot be parsed."""
    if len(field) > MAX_SIGNATURE_BYTES or LONG_BLANKS.search(field):
        return ""
    try:
        tags = parse_tag_value(field)
    except InvalidTagValueList:
        return ""
    # With `l` anybody may append lines; without From in `h` anybody may change the sender.
    signed = {name.strip().lower() for name in tags.get(b"h", b"").split(b":")}
    if b"l" in tags or tags.get(b"a") not in ALGORITHMS or b"from" not in signed:
        return ""
    return str(tags.get(b"d", b"").decode("ascii", "replace").rstrip(".").lower())


def _verifies(message: DKIM, index: int) -> bool:
    try:
        return bool(message.verify(idx=index, dnsfunc=_key))
    except dns_lookups.DnsUnavailable:
        raise
    except Exception:
        # The library raises exceptions of any type; a signature it cannot check does not count.
        return False


def _key(name: bytes, timeout: float = dns_lookups.LOOKUP_SECONDS) -> bytes | None:
    """The published public key of a selector; the library's `dnsfunc`."""
    records = dns_lookups.txt_records(name.decode("ascii", "replace"))
    return records[0].encode() if len(records) == 1 else None


def _allows_relaxed_alignment(domain: str) -> bool:
    """Whether the domain publishes a DMARC policy with relaxed DKIM alignment."""
    try:
        policy, _is_of_organization = dmarc_lookup.receiver_record(domain, dnsfunc=_policy)
    except dmarc_lookup.DMARCException:
        return False
    return bool(policy.get("p")) and policy.get("adkim", "r") == "r"


def _policy(name: str) -> str | None:
    """The DMARC record of a name; None if there are several (RFC 7489, 6.6.3)."""
    records = [text for text in dns_lookups.txt_records(name) if text.startswith("v=DMARC1")]
    return records[0] if len(records) == 1 else None


@lru_cache(1024)
def _organization(domain: str) -> str:
    """The organizational domain; cached, since the library reloads its public suffix list."""
    return str(dmarc_lookup.get_org_domain(domain))
