"""Unsubscribe links of e-mails: signed, and valid without signing in.

A link stops one kind of e-mail to one user and can do nothing else, so it never expires.
"""

from django.core import signing
from django.urls import reverse

from accounts.models import User

KINDS = {"match": "match_emails", "reminder": "reminder_emails"}  # kind -> column of User

_SALT = "accounts.unsubscribe"


def stop_path(user: User, kind: str) -> str:
    """The link that stops e-mails of this kind ("match" or "reminder"); GET asks, POST does it."""
    # Without a time stamp, so that an e-mail that is sent again has the same bytes.
    token = signing.Signer(salt=_SALT).sign_object([user.pk, kind])
    return reverse("accounts:unsubscribe", args=[token])


def read(token: str) -> tuple[User, str] | None:
    """User and kind of e-mail of a link; None for a link that we never signed."""
    try:
        pk, kind = signing.Signer(salt=_SALT).unsign_object(token)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=pk).first()
    return (user, kind) if user else None


def stop(user: User, kind: str) -> None:
    """Turn this kind of e-mail off. Idempotent."""
    User.objects.filter(pk=user.pk).update(**{KINDS[kind]: False})
