"""The sender of a message: may what it says be done in the name of the player it is about?"""

from enum import Enum

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.models import User
from games.mail.reading.machine import Machine
from games.mail.reading.message import Reading
from games.mail.trust import results
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


def judge(user: User, reading: Reading, envelope_sender: str | None) -> Sender:
    """Who wrote this message to an address of `user`; the empty envelope sender is a program."""
    if reading.machine is Machine.CERTAIN or envelope_sender == "":
        return Sender.MACHINE
    author = only_author(reading)
    if author is None:
        return Sender.NOBODY
    if not is_verified(user, author):
        return Sender.STRANGER
    if not is_proved(author, reading):
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
        # A newcomer's own machine, where nobody else can reach the listener.
        return bool(settings.DEMO)
    return results.vouches_for(author.rpartition("@")[2], reading.results)
