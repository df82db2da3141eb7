"""Private links: a secret address for one invitation.

The secret is a signature of the invitation's number, so nothing of it is stored: a dump of the
database opens no door, and the owner can be shown the link again at any time.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

SALT = "games.lobby.links"


def write(invitation_id: int) -> str:
    """The token of an invitation's private link."""
    token: str = _signer().sign(str(invitation_id))
    return token


def read(token: str) -> int | None:
    """The invitation that a token opens; None for a token that was not written here."""
    try:
        return int(_signer().unsign(token))
    except (BadSignature, ValueError):
        return None


def address(invitation_id: int) -> str:
    """The whole link, for the owner to hand on."""
    return f"{settings.SITE_URL}{reverse('lobby:link', args=[write(invitation_id)])}"


def _signer() -> Signer:
    return Signer(salt=SALT, sep=".")
