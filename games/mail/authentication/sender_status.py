"""Sender status: whether a message is authenticated as written by the player."""

from enum import Enum

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from games.mail.addresses import is_confirmed_address, single_author
from games.mail.authentication import authentication_results, dkim_signatures
from games.mail.models import FROM_OUR_SERVER, WayIn
from games.mail.reading.automatic_mail import Automatic
from games.mail.reading.parsed_message import ParsedMessage
from games.notifications.policy import preferences

TRUSTED_IN_DEMO = FROM_OUR_SERVER | {WayIn.FORM}


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
    user: User,
    parsed: ParsedMessage,
    envelope_sender: str | None,
    *,
    way_in: str,
    dkim_verified: bool = False,
) -> SenderStatus:
    """The status of a message to an address of `user`.

    `way_in` is a WayIn, or "" if it is not known. `dkim_verified` is the result of
    `has_valid_signature`.
    """
    if is_automatic(parsed, envelope_sender):
        return SenderStatus.AUTOMATIC
    author = single_author(parsed)
    if author is None:
        return SenderStatus.NO_SINGLE_AUTHOR
    if not is_confirmed_address(user, author):
        return SenderStatus.UNKNOWN_ADDRESS
    if not dkim_verified and not is_authenticated(author, parsed, way_in):
        return SenderStatus.UNAUTHENTICATED
    return (
        SenderStatus.CONFIRMATION_WANTED
        if preferences.read(user).ask_on_site
        else SenderStatus.PLAYER
    )


def is_automatic(parsed: ParsedMessage, envelope_sender: str | None) -> bool:
    """Whether a program certainly sent it; an empty envelope sender means that, None is unknown."""
    return parsed.automatic is Automatic.CERTAIN or envelope_sender == ""


def is_authenticated(author: str, parsed: ParsedMessage, way_in: str) -> bool:
    """Whether our mail server authenticated the From domain, in a message that it handed over.

    Of a message from a webhook or a mailbox, anybody may have written the header.
    """
    if not settings.MAIL_AUTHSERV_ID:
        if settings.MAIL_CHECK_DKIM:
            return False
        # The demo runs on one's own machine, where nobody else can reach the listener.
        return bool(settings.DEMO) and way_in in TRUSTED_IN_DEMO
    if way_in not in FROM_OUR_SERVER:
        return False
    return authentication_results.authenticates(author.rpartition("@")[2], parsed.results)


def has_valid_signature(parsed: ParsedMessage, raw: bytes, way_in: str) -> bool:
    """Whether the message has a valid, aligned DKIM signature; raises DnsUnavailable.

    May take seconds. Without a confirmed address in From, or if the message is authenticated
    already, no lookup is made, so strangers cannot cause lookups.
    """
    author = single_author(parsed)
    if not settings.MAIL_CHECK_DKIM or author is None or parsed.automatic is Automatic.CERTAIN:
        return False
    known = EmailAddress.objects.filter(email__iexact=author, verified=True)
    if is_authenticated(author, parsed, way_in) or not known.exists():
        return False
    return dkim_signatures.has_valid_signature(author.rpartition("@")[2], raw)
