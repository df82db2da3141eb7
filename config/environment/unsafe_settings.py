"""Settings that are for a newcomer's own machine, and unsafe on a site that others reach."""

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings

LOOPBACK_NAMES = ("localhost", "localhost.localdomain")


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine alone."""
    name = host.strip("[]").rstrip(".").lower()
    if name in LOOPBACK_NAMES or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def why_no_demo(host: str = "127.0.0.1") -> str:
    """Why the demo must not run here, listening at `host`: a sentence; "" if it may.

    Its users, one of them a superuser, have a public password, and its pages show every e-mail.
    """
    site = urlsplit(settings.SITE_URL)
    if not settings.DEMO:
        return (
            "The demo makes a superuser whose password everybody knows, so it needs DEMO=true. "
            "`make run` sets that, on a database of its own."
        )
    if site.scheme == "https" or not is_loopback(site.hostname or ""):
        return (
            f"The demo is for one's own machine, and SITE_URL is {settings.SITE_URL}. Leave "
            "SITE_URL out, or take DEMO away."
        )
    if not is_loopback(host):
        return (
            f"The demo is for one's own machine, and --host {host} lets others in. Leave --host "
            "out, or take DEMO away."
        )
    return ""


def errors() -> Iterator[str]:
    """What nobody may start with, each with what would be right."""
    if settings.DEMO and (sentence := why_no_demo()):
        yield sentence
    if settings.DEBUG and settings.HTTPS:
        yield (
            "DEBUG is on and SITE_URL is https: error pages would show code and settings to "
            "everybody. Turn DEBUG off."
        )
    yield from _mail_from_others()


def warnings() -> Iterator[str]:
    """What is unusual on a site that others reach, each with what would be right."""
    if not settings.HTTPS:
        return
    if not settings.STAFF_NEEDS_MFA:
        yield (
            "STAFF_NEEDS_MFA is off: a password alone opens the admin. Take it away, and have "
            "staff set up a second factor."
        )
    if settings.EMAIL_BACKEND.endswith("file_backend.EmailBackend"):
        yield "E-mails become files and reach nobody. Set EMAIL_URL to a mail server."


def _mail_from_others() -> Iterator[str]:
    """Why the demo must not take mail: it believes every sender, so anybody could move."""
    if not settings.DEMO or settings.MAIL_AUTHSERV_ID or settings.MAIL_CHECK_DKIM:
        return
    host = urlsplit(settings.MAIL_LISTEN).hostname
    reached = {
        "MAIL_LISTEN": bool(host) and not is_loopback(str(host)),
        "MAIL_IMAP": settings.MAIL_IMAP,
        "MAIL_PROVIDER": settings.MAIL_PROVIDER,
    }
    for name in (name for name, is_reached in reached.items() if is_reached):
        yield (
            f"The demo believes every sender, and {name} takes mail from other machines. Leave it "
            "out, or take DEMO away."
        )
