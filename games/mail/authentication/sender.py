"""The sender of a message: may what it says be done in the name of the player it is about?"""

from enum import Enum

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from games.mail.authentication import dkim_signatures, results
from games.mail.reading.automatic_mail import Machine
from games.mail.reading.message import Reading
from games.notifications.policy import preferences


class Sender(Enum):
    """Who wrote a message, and why that is not proved."""

    PLAYER = ""
    MACHINE = "it was sent by a program"
    NOBODY = "it names no sender, or several"
    STRANGER = "its sender is not an address of this player"
    UNPROVED = "our mail server does not vouch for its sender"
    ASKED = "this player wants to be asked on the site"

    @property
    def is_player(self) -> bool:
        """Whether the player wrote it, who may still want to be asked."""
        return self in (Sender.PLAYER, Sender.ASKED)


def judge(
    user: User, reading: Reading, envelope_sender: str | None, *, signed: bool = False
) -> Sender:
    """Who wrote this message to an address of `user`; the empty envelope sender is a program.

    `signed` is what `is_signed` said of it.
    """
    if reading.machine is Machine.CERTAIN or envelope_sender == "":
        return Sender.MACHINE
    author = only_author(reading)
    if author is None:
        return Sender.NOBODY
    if not is_verified(user, author):
        return Sender.STRANGER
    if not signed and not is_proved(author, reading):
        return Sender.UNPROVED
    return Sender.ASKED if preferences.of(user).ask_on_site else Sender.PLAYER


def only_author(reading: Reading) -> str | None:
    """The one mailbox in From, in small letters; None if there are several, or none of use."""
    if len(reading.senders) != 1:
        return None
    author = reading.senders[0].lower()
    local, _at, domain = author.rpartition("@")
    return author if local and domain and domain.isascii() else None


def is_verified(user: User, author: str) -> bool:
    """Whether this is an address that the player has confirmed as theirs."""
    own = EmailAddress.objects.filter(user=user, email__iexact=author, verified=True)
    return bool(own.exists())


def player_with(author: str) -> User | None:
    """Whose confirmed address this is, if it is one person's."""
    found = EmailAddress.objects.filter(email__iexact=author, verified=True, user__is_active=True)
    users: dict[int, User] = {
        address.user_id: address.user for address in found.select_related("user")[:2]
    }
    return next(iter(users.values())) if len(users) == 1 else None


def is_proved(author: str, reading: Reading) -> bool:
    """Whether the message comes from the domain that it names."""
    if not settings.MAIL_AUTHSERV_ID:
        if settings.MAIL_CHECK_DKIM:
            return False
        # A newcomer's own machine, where nobody else can reach the listener.
        return bool(settings.DEMO)
    return results.vouches_for(author.rpartition("@")[2], reading.results)


def is_signed(reading: Reading, raw: bytes) -> bool:
    """Whether we have checked ourselves that its one sender's domain signed it; raises DnsAway.

    It may take seconds. Nobody is asked about a message whose sender is no confirmed address here,
    or is proved without, so that strangers cause no lookups.
    """
    author = only_author(reading)
    if not settings.MAIL_CHECK_DKIM or author is None or reading.machine is Machine.CERTAIN:
        return False
    known = EmailAddress.objects.filter(email__iexact=author, verified=True)
    if is_proved(author, reading) or not known.exists():
        return False
    return dkim_signatures.is_signed_for(author.rpartition("@")[2], raw)
