"""Unsafe settings: combinations that are meant for a local machine, found on a public site."""

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings

from config.environment import mail_settings

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

    The demo's users, one of them a superuser, have a public password, and its pages show all
    e-mails.
    """
    site = urlsplit(settings.SITE_URL)
    if not settings.DEMO:
        return (
            "The demo creates a superuser with a public password, so it needs DEMO=true. "
            "`make run` sets that, with a separate database."
        )
    if site.scheme == "https" or not is_loopback(site.hostname or ""):
        return (
            f"The demo is for a local machine, but SITE_URL is {settings.SITE_URL}. Remove "
            "SITE_URL or DEMO."
        )
    if not is_loopback(host):
        return (
            f"The demo is for a local machine, but --host {host} lets others in. Remove --host "
            "or DEMO."
        )
    return ""


def errors() -> Iterator[str]:
    """Settings that the service refuses to start with, a sentence each with the remedy."""
    if settings.DEMO and (sentence := why_no_demo()):
        yield sentence
    if settings.DEBUG and settings.HTTPS:
        yield (
            "DEBUG is on and SITE_URL is https: error pages would show code and settings to "
            "everybody. Turn DEBUG off."
        )
    yield from _mail_from_others()
    yield from _results_of_others()


def warnings() -> Iterator[str]:
    """Settings that are unusual on a public site, a sentence each with the remedy."""
    if settings.HOLD_EMAILS:
        yield (
            "HOLD_EMAILS is on: nothing is delivered, to anybody. Remove it and restart all "
            "processes; in a restored copy, follow docs/running/backups.md first."
        )
    yield from mail_settings.warnings()
    if not settings.HTTPS:
        return
    if not settings.STAFF_NEEDS_MFA:
        yield (
            "STAFF_NEEDS_MFA is off: a password alone opens the admin. Remove it, and have "
            "staff set up a second factor."
        )
    if settings.EMAIL_BACKEND.endswith("file_backend.EmailBackend"):
        yield "E-mails are written to files and reach nobody. Set EMAIL_URL to a mail server."


def _mail_from_others() -> Iterator[str]:
    """Why the demo must not accept mail from others: it trusts every sender."""
    if not settings.DEMO or settings.MAIL_AUTHSERV_ID or settings.MAIL_CHECK_DKIM:
        return
    host = urlsplit(settings.MAIL_LISTEN).hostname
    open_to_others = {
        "MAIL_LISTEN": bool(host) and not is_loopback(str(host)),
        "MAIL_IMAP": settings.MAIL_IMAP,
        "MAIL_PROVIDER": settings.MAIL_PROVIDER,
    }
    for name in (name for name, is_open in open_to_others.items() if is_open):
        yield (
            f"The demo trusts every sender, but {name} accepts mail from other machines. Remove "
            f"{name} or DEMO."
        )


def _results_of_others() -> Iterator[str]:
    """Why Authentication-Results cannot be believed: no mail server of ours removes forged ones."""
    if not settings.MAIL_AUTHSERV_ID:
        return
    for name in ("MAIL_PROVIDER", "MAIL_IMAP"):
        if getattr(settings, name):
            yield (
                "MAIL_AUTHSERV_ID is the name of a mail server that hands messages to MAIL_LISTEN "
                f"or to `manage.py receive_mail`. In a message from {name}, anybody may have "
                "written that name. Remove MAIL_AUTHSERV_ID and set MAIL_CHECK_DKIM=true, or "
                f"remove {name}."
            )
