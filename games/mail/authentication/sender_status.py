"""Sender status: whether a message is authenticated as written by the player."""

from enum import Enum

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from accounts.values import addresses
from games.mail.authentication import authentication_results, dkim_signatures
from games.mail.reading.automatic_mail import Automatic
from games.mail.reading.parsed_message import ParsedMessage
from games.notifications.policy import preferences


class SenderStatus(Enum):
    """Who wrote a message; the value is the reason why it is not known to be the player."""

    PLAYER = ""
    AUTOMATIC = "it was sent by a program"
    NO_SINGLE_AUTHOR = "it names no sender, or several"
    UNKNOWN_ADDRESS = "its sender is not an address of this player"
    UNAUTHENTICATED = "our mail server does not vouch for its sender"
    CONFIRMATION_WANTED = "this player wants to be asked on the site"

    @property
    def is_player(self) -> bool:
        """Whether the player wrote it, even if they want to confirm it on the site."""
        return self in (SenderStatus.PLAYER, SenderStatus.CONFIRMATION_WANTED)


def determine(
    user: User, parsed: ParsedMessage, envelope_sender: str | None, *, dkim_verified: bool = False
) -> SenderStatus:
    """The status of a message to an address of `user`.

    An empty envelope sender means automatic mail. `dkim_verified` is the result of
    `has_valid_signature`.
    """
    if parsed.automatic is Automatic.CERTAIN or envelope_sender == "":
        return SenderStatus.AUTOMATIC
    author = single_author(parsed)
    if author is None:
        return SenderStatus.NO_SINGLE_AUTHOR
    if not is_confirmed_address(user, author):
        return SenderStatus.UNKNOWN_ADDRESS
    if not dkim_verified and not is_authenticated(author, parsed):
        return SenderStatus.UNAUTHENTICATED
    return (
        SenderStatus.CONFIRMATION_WANTED
        if preferences.read(user).ask_on_site
        else SenderStatus.PLAYER
    )


def single_author(parsed: ParsedMessage) -> str | None:
    """The only address in From, in canonical form; None if there are several or it is unusable."""
    if len(parsed.from_addresses) != 1:
        return None
    author = addresses.with_ascii_domain(parsed.from_addresses[0])
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


def is_authenticated(author: str, parsed: ParsedMessage) -> bool:
    """Whether our mail server authenticated the From domain."""
    if not settings.MAIL_AUTHSERV_ID:
        if settings.MAIL_CHECK_DKIM:
            return False
        # The demo runs on one's own machine, where nobody else can reach the listener.
        return bool(settings.DEMO)
    return authentication_results.authenticates(author.rpartition("@")[2], parsed.results)


def has_valid_signature(parsed: ParsedMessage, raw: bytes) -> bool:
    """Whether the message has a valid, aligned DKIM signature; raises DnsUnavailable.

    May take seconds. Without a confirmed address in From, or if the message is authenticated
    already, no lookup is made, so strangers cannot cause lookups.
    """
    author = single_author(parsed)
    if not settings.MAIL_CHECK_DKIM or author is None or parsed.automatic is Automatic.CERTAIN:
        return False
    known = EmailAddress.objects.filter(email__iexact=author, verified=True)
    if is_authenticated(author, parsed) or not known.exists():
        return False
    return dkim_signatures.has_valid_signature(author.rpartition("@")[2], raw)
