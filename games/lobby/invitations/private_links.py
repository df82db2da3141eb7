"""Private links: signed URLs; anyone who has the link may accept the invitation.

The token is the invitation's id with a signature, and is not stored. So a copy of the database
contains no links, and the link can be shown to the owner at any time.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

SALT = "games.lobby.invitations.private_links"


def write_token(invitation_id: int) -> str:
    """The token of an invitation's private link."""
    token: str = _signer().sign(str(invitation_id))
    return token


def read_token(token: str) -> int | None:
    """The invitation id of a token; None if its signature is wrong."""
    try:
        return int(_signer().unsign(token))
    except (BadSignature, ValueError):
        return None


def address(invitation_id: int) -> str:
    """The absolute URL of the link, for the owner to share."""
    return f"{settings.SITE_URL}{reverse('lobby:link', args=[write_token(invitation_id)])}"


def _signer() -> Signer:
    return Signer(salt=SALT, sep=".")
