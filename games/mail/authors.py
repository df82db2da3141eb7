"""Authors of messages: the address in From, and the player whom it belongs to.

Whether the author wrote the message is another question (games/mail/authentication).
"""

from allauth.account.models import EmailAddress

from accounts.models import User
from games.mail.addresses import service_address
from games.mail.reading.parsed_message import ParsedMessage, parse_header


def single_author(parsed: ParsedMessage) -> str | None:
    """The only address in From, in lowercase; None if there are several or it is unusable."""
    if len(parsed.from_addresses) != 1:
        return None
    author = parsed.from_addresses[0].lower()
    local, _at, domain = author.rpartition("@")
    return author if local and domain and domain.isascii() else None


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
