"""Addresses of ours: what an envelope's recipient is for, by its form alone."""

from email.utils import parseaddr

from django.conf import settings

from games.mail.models import Door
from games.notifications.email import verp
from games.notifications.email.replies import reply_addresses

MAX_ADDRESS_CHARACTERS = 320
NULL_SENDER = "MAILER-DAEMON"


def bare(address: str) -> str:
    """An envelope's address without brackets and blanks; "" for the null sender."""
    return address.strip().removeprefix("<").removesuffix(">").strip()


def sender_of(address: str) -> str:
    """An envelope's sender; "" for the null sender, however a mail server writes it into a pipe."""
    plain = bare(address)
    return "" if plain.partition("@")[0].upper() == NULL_SENDER else plain


def door_of(recipient: str) -> Door | None:
    """What the address is for; None if it is none of ours."""
    if len(recipient) > MAX_ADDRESS_CHARACTERS:
        return None
    local, _at, domain = recipient.lower().rpartition("@")
    if reply_addresses.is_well_formed(recipient):
        return Door.REPLY
    if domain != settings.MAIL_DOMAIN.lower():
        return None
    if verp.LOCAL_PART.fullmatch(local):
        return Door.BOUNCE
    return Door.POST if recipient.lower() == post_address() else None


def post_address() -> str:
    """The address that e-mails come from, in small letters."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def masked(recipient: str) -> str:
    """The address for people who look after the service: without its token."""
    local, at, domain = recipient.partition("@")
    kind, plus, _token = local.partition("+")
    return f"{kind}{plus and '+…'}{at}{domain}"
