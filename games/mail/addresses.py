"""Addresses of this service: classifies an envelope recipient by its syntax."""

from email.utils import parseaddr

from django.conf import settings

from games.mail.models import RecipientKind
from games.notifications.email import verp
from games.notifications.email.replies import reply_addresses

MAX_ADDRESS_CHARACTERS = 320
NULL_SENDER = "MAILER-DAEMON"


def strip_brackets(address: str) -> str:
    """An envelope address without angle brackets and spaces; "" for the null sender."""
    return address.strip().removeprefix("<").removesuffix(">").strip()


def envelope_sender(address: str) -> str:
    """The envelope sender; "" for the null sender, also if written as MAILER-DAEMON."""
    plain = strip_brackets(address)
    return "" if plain.partition("@")[0].upper() == NULL_SENDER else plain


def recipient_kind(recipient: str) -> RecipientKind | None:
    """The kind of a recipient address; None if it is not of this service."""
    if len(recipient) > MAX_ADDRESS_CHARACTERS:
        return None
    local, _at, domain = recipient.lower().rpartition("@")
    if reply_addresses.is_well_formed(recipient):
        return RecipientKind.REPLY
    if domain != settings.MAIL_DOMAIN.lower():
        return None
    if verp.LOCAL_PART.fullmatch(local):
        return RecipientKind.BOUNCE
    return RecipientKind.SERVICE if recipient.lower() == service_address() else None


def service_address() -> str:
    """The From address of all our e-mails, in lowercase."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def masked(recipient: str) -> str:
    """The address without its token, for output to administrators."""
    local, at, domain = recipient.partition("@")
    kind, plus, _token = local.partition("+")
    return f"{kind}{plus and '+…'}{at}{domain}"
