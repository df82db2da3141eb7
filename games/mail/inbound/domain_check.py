"""Check of the domain: what its DNS records say of mail, in sentences for who runs the service."""

from collections.abc import Iterator
from email.utils import parseaddr
from typing import NamedTuple

from authheaders.dmarc_lookup import get_org_domain
from django.conf import settings

from games.mail.authentication import dns


class Finding(NamedTuple):
    """What was found; if it is wrong, the sentences say what would be right."""

    right: bool
    words: str


def findings() -> Iterator[Finding]:
    """What DNS says of MAIL_DOMAIN, record by record."""
    domain = settings.MAIL_DOMAIN
    for kind, look in (("MX", _mx), ("SPF", _spf), ("DMARC", _dmarc)):
        try:
            yield look(domain)
        except dns.DnsAway:
            yield Finding(
                False,
                f"{kind}: no DNS server could say. Try again, or name another one in MAIL_DNS.",
            )
    yield _alignment(domain)


def _mx(domain: str) -> Finding:
    hosts = dns.mail_hosts(domain)
    if not hosts:
        return Finding(
            False,
            f"MX: {domain} has none, so answers do not arrive. Publish `{domain}. MX 10` with the "
            "name of the mail server that takes them.",
        )
    lost = [host for host in hosts if not dns.has_address(host)]
    if lost:
        return Finding(
            False,
            f"MX: {lost[0]} has no address. Publish an A or AAAA record for it, or name another.",
        )
    return Finding(True, f"MX: mail to {domain} goes to {', '.join(hosts)}.")


def _spf(domain: str) -> Finding:
    right = f'`{domain}. TXT "v=spf1 mx -all"`, with what your provider names in place of mx'
    found = [text for text in dns.texts(domain) if text.lower().split(" ")[0] == "v=spf1"]
    if not found:
        return Finding(False, f"SPF: {domain} has no record. Publish {right}.")
    if len(found) > 1:
        return Finding(False, f"SPF: {domain} has {len(found)} records. Keep one.")
    last = found[0].lower().split()[-1]
    if last in ("all", "+all", "?all"):
        return Finding(False, f"SPF: by {last} anybody may send. Publish {right}.")
    return Finding(True, f"SPF: {found[0]}")


def _dmarc(domain: str) -> Finding:
    right = f'`_dmarc.{domain}. TXT "v=DMARC1; p=none; rua=mailto:you@example.org"`'
    for name in dict.fromkeys((domain, str(get_org_domain(domain)))):
        found = [text for text in dns.texts(f"_dmarc.{name}") if text.startswith("v=DMARC1")]
        if len(found) > 1:
            return Finding(False, f"DMARC: {name} has {len(found)} records. Keep one.")
        if found and "p=" not in found[0].replace(" ", ""):
            return Finding(False, f"DMARC: the record of {name} has no p=. Publish {right}.")
        if found:
            return Finding(True, f"DMARC: {found[0]}")
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
