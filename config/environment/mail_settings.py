"""Settings of incoming mail that cannot work together, or let others in."""

import ipaddress
from collections.abc import Iterator
from email.utils import parseaddr
from urllib.parse import urlsplit

from django.conf import settings

SMTP_PORT = 25
# Fields that the sender writes: no mail server wrote the recipient into them.
OF_THE_SENDER = ("to", "cc", "bcc", "from", "sender", "reply-to", "subject")


def warnings() -> Iterator[str]:
    """Settings with which messages are lost or forged, a sentence each with the remedy."""
    yield from _unverified_senders()
    yield from _open_listener()
    if settings.MAIL_IMAP and settings.MAIL_IMAP_HEADER.strip(": ").lower() in OF_THE_SENDER:
        yield (
            f"MAIL_IMAP_HEADER is {settings.MAIL_IMAP_HEADER}, which the sender of a message "
            "writes. Name the header in which your mail server writes the recipient, for example "
            "Delivered-To or X-Original-To."
        )
    yield from _other_domain()


def _is_receiving() -> bool:
    return any((settings.MAIL_LISTEN, settings.MAIL_IMAP, settings.MAIL_PROVIDER))


def _unverified_senders() -> Iterator[str]:
    believed = settings.MAIL_AUTHSERV_ID or settings.MAIL_CHECK_DKIM or settings.DEMO
    if _is_receiving() and not believed and settings.MAIL_REPLIES != "false":
        yield (
            "Messages are taken, but nothing verifies their senders, so players have to confirm "
            "each on the site. Set MAIL_CHECK_DKIM=true, or MAIL_AUTHSERV_ID to the name under "
            "which your mail server writes Authentication-Results. If only bounces come in, set "
            "MAIL_REPLIES=false."
        )


def _open_listener() -> Iterator[str]:
    server = urlsplit(settings.MAIL_LISTEN)
    if server.port == SMTP_PORT:
        yield (
            "MAIL_LISTEN is at port 25, where other mail servers deliver. The listener is for your "
            "own mail server alone: choose another port, such as smtp://127.0.0.1:8025."
        )
    elif server.hostname and _is_any_address(server.hostname) and settings.MAIL_AUTHSERV_ID:
        yield (
            f"MAIL_LISTEN is at {server.hostname}, so other machines may reach it, and they can "
            "write MAIL_AUTHSERV_ID into a message. Listen at 127.0.0.1, or at an address that "
            "only your mail server reaches."
        )


def _is_any_address(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _other_domain() -> Iterator[str]:
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    domain = address.rpartition("@")[2].lower()
    if _is_receiving() and domain != settings.MAIL_DOMAIN.lower():
        yield (
            f"E-mails come from {address}, but messages are taken at {settings.MAIL_DOMAIN} alone. "
            "Set DEFAULT_FROM_EMAIL to an address at MAIL_DOMAIN, or MAIL_DOMAIN to its domain."
        )
