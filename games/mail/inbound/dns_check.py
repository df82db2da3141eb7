"""Checks MX, SPF and DMARC records of MAIL_DOMAIN; findings are sentences for administrators."""

from collections.abc import Iterator
from email.utils import parseaddr
from typing import NamedTuple

from authheaders.dmarc_lookup import get_org_domain
from django.conf import settings

from games.mail.authentication import dns_lookups


class Finding(NamedTuple):
    """A check result; if not `is_right`, the sentence says how to fix it."""

    is_right: bool
    sentence: str


def findings() -> Iterator[Finding]:
    """One finding per kind of record, then one on alignment."""
    domain = settings.MAIL_DOMAIN
    for kind, look in (("MX", _mx), ("SPF", _spf), ("DMARC", _dmarc)):
        try:
            yield look(domain)
        except dns_lookups.DnsUnavailable:
            yield Finding(
                False,
                f"{kind}: no DNS server could say. Try again, or name another one in MAIL_DNS.",
            )
    yield _alignment(domain)


def _mx(domain: str) -> Finding:
    hosts = dns_lookups.mx_hosts(domain)
    if not hosts:
        return Finding(
            False,
            f"MX: {domain} has none, so answers do not arrive. Publish `{domain}. MX 10` with the "
            "name of the mail server that takes them.",
        )
    unresolved = [host for host in hosts if not dns_lookups.has_address(host)]
    if unresolved:
        return Finding(
            False,
            f"MX: {unresolved[0]} has no address. Publish an A or AAAA record for it, or name "
            "another.",
        )
    return Finding(True, f"MX: mail to {domain} goes to {', '.join(hosts)}.")


def _spf(domain: str) -> Finding:
    right = f'`{domain}. TXT "v=spf1 mx -all"`, with what your provider names in place of mx'
    records = [
        text for text in dns_lookups.txt_records(domain) if text.lower().split(" ")[0] == "v=spf1"
    ]
    if not records:
        return Finding(False, f"SPF: {domain} has no record. Publish {right}.")
    if len(records) > 1:
        return Finding(False, f"SPF: {domain} has {len(records)} records. Keep one.")
    last = records[0].lower().split()[-1]
    if last in ("all", "+all", "?all"):
        return Finding(False, f"SPF: by {last} anybody may send. Publish {right}.")
    return Finding(True, f"SPF: {records[0]}")


def _dmarc(domain: str) -> Finding:
    right = f'`_dmarc.{domain}. TXT "v=DMARC1; p=none; rua=mailto:you@example.org"`'
    for name in dict.fromkeys((domain, str(get_org_domain(domain)))):
        records = [
            text
            for text in dns_lookups.txt_records(f"_dmarc.{name}")
            if text.startswith("v=DMARC1")
        ]
        if len(records) > 1:
            return Finding(False, f"DMARC: {name} has {len(records)} records. Keep one.")
        if records and "p=" not in records[0].replace(" ", ""):
            return Finding(False, f"DMARC: the record of {name} has no p=. Publish {right}.")
        if records:
            return Finding(True, f"DMARC: {records[0]}")
    return Finding(False, f"DMARC: {domain} has no record. Publish {right}.")


def _alignment(domain: str) -> Finding:
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()
    if sender != domain.lower():
        return Finding(
            False,
            f"Sender: DEFAULT_FROM_EMAIL is of {sender}, and MAIL_DOMAIN is {domain}. Use one "
            "domain for both; mailbox providers compare them.",
        )
    return Finding(True, f"Sender: {parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}.")
