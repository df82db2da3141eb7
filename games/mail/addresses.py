"""Addresses: the kind of an envelope recipient, and the player whose address is in From.

Whether that player wrote the message is another question (games/mail/authentication).
"""

from email.utils import parseaddr

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from accounts.values.addresses import with_ascii_domain
from games.mail.models import RecipientKind
from games.mail.reading.parsed_message import ParsedMessage, parse_header
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


def single_author(parsed: ParsedMessage) -> str | None:
    """The only address in From, in canonical form; None if there are several or it is unusable."""
    if len(parsed.from_addresses) != 1:
        return None
    author = with_ascii_domain(parsed.from_addresses[0])
    local, _at, domain = (author or "").rpartition("@")
    return author if local and domain else None


def is_confirmed_address(user: User, author: str) -> bool:
    """Whether the player has confirmed this address as theirs."""
    own = EmailAddress.objects.filter(user=user, email__iexact=author, verified=True)
    return bool(own.exists())


def player_with_address(author: str) -> User | None:
    """The player with this confirmed address; None if there is none or several."""
    addresses = EmailAddress.objects.filter(
        email__iexact=author, verified=True, user__is_active=True
    )
    users: dict[int, User] = {
        address.user_id: address.user for address in addresses.select_related("user")[:2]
    }
    return next(iter(users.values())) if len(users) == 1 else None


def is_from_stranger(raw: bytes) -> bool:
    """Whether From names no player, nor this service, which writes to itself in `check_mail`.

    Parses the header alone, in linear time. One query.
    """
    author = single_author(parse_header(raw))
    if author is None:
        return True
    return author != service_address() and player_with_address(author) is None
