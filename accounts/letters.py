"""The link in every letter by which its reader stops such letters, without signing in.

What it can do is all that it proves: it opens nothing else, and does not grow old.
"""

from django.core import signing
from django.urls import reverse

from accounts.models import User

KINDS = {"match": "match_letters", "reminder": "reminder_letters"}  # kind -> column of User

_SALT = "accounts.letters"


def stop_path(user: User, kind: str) -> str:
    """Where letters of this kind ("match" or "reminder") are stopped; GET asks, POST does it."""
    # Without an instant in it: a letter that is sent once more is the same letter.
    token = signing.Signer(salt=_SALT).sign_object([user.pk, kind])
    return reverse("accounts:letters", args=[token])


def read(token: str) -> tuple[User, str] | None:
    """Whose letters of which kind the link is about; None for a link that was never given out."""
    try:
        pk, kind = signing.Signer(salt=_SALT).unsign_object(token)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=pk).first()
    return (user, kind) if user else None


def stop(user: User, kind: str) -> None:
    """Stops them; done twice, it is still done."""
    User.objects.filter(pk=user.pk).update(**{KINDS[kind]: False})
