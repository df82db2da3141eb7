"""What accounts export of a person: the account, its addresses, factors, tokens and sessions."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Q

from accounts.models import User
from accounts.tokens import revoking
from accounts.user_sessions.listing import records
from lib.exports.files import File, json_file, json_rows, values
from lib.exports.parts import OF_THE_SITE, Exported, Part

EXPORT_EVERY = timedelta(hours=1)  # at most

USER = Exported(
    "account.json",
    (
        *("id", "username", "email", "pending", "date_joined", "last_login", "is_active"),
        *("is_staff", "is_superuser", "house_level", "zone", "language", "theme"),
        *("rest", "rest_changed_at", "away_until", "lessons", "first_steps", "guided"),
        *("no_challenges", "no_talk", "silenced_until", "match_emails", "reminder_emails"),
        *("notification_preferences", "hushed", "unreached", "exported_at", "closes_at"),
    ),
    {
        "password": "Only a hash is stored, which would help to guess it.",
        "handle_key": "It is made from the username, to find names that look alike.",
        "owner": "Only bots have one, which export nothing; `bots` has the names of the bots.",
        "in_hand_until": "It says which worker sends an e-mail at this moment.",
    },
)
ADDRESS = Exported(
    "account.json",
    ("email", "verified", "primary"),
    {"id": "A number without meaning.", "user": "It is the person."},
)
FACTOR = Exported(
    "account.json",
    ("type", "created_at", "last_used_at"),
    {
        "id": "A number without meaning.",
        "user": "It is the person.",
        "data": "It holds the secret of the factor.",
    },
)
SESSION = Exported(
    "sessions.json",
    ("session_data", "expire_date"),  # of the data: when and from where it was used
    {
        "id": "A number without meaning.",
        "session_key": "It would sign somebody in.",
        "user": "It is the person.",
        "guesses": "It limits guesses at a code that was sent.",
    },
)
TOKEN = Exported(
    "account.json",
    ("name", "scopes", "created_at", "expires_at", "used_on"),
    {
        "id": "A number without meaning.",
        "user": "It is the person, or the bot whose name is given with it.",
        "digest": "It is a hash, from which nobody can make the token.",
        "warn_at": "It says when an e-mail is due, a week before the token expires.",
    },
)


def files(user: User) -> Iterator[File]:
    """account.json and sessions.json."""
    yield json_file("account.json", lambda: _account(user.pk))
    yield json_rows("sessions.json", records(user))


def claim(user: User, at: datetime) -> datetime | None:
    """Count an export at an instant; returns None, or when the next one is possible, if too early.

    One statement, so that of several exports at once only one is made.
    """
    first = Q(exported_at__isnull=True) | Q(exported_at__lte=at - EXPORT_EVERY)
    if User.objects.filter(first, pk=user.pk).update(exported_at=at):
        return None
    user.refresh_from_db(fields=["exported_at"])
    return (user.exported_at or at) + EXPORT_EVERY


def host(url: str) -> str:
    """The host of an address, whose path may be a secret."""
    return urlsplit(url).hostname or ""


def _account(user_id: int) -> dict[str, Any]:
    user = User.objects.get(pk=user_id)
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    factors = Authenticator.objects.filter(user=user).order_by("pk")
    tokens = revoking.of_account(user).select_related("user").order_by("pk")
    return {
        **values(user, USER.columns),
        "has_password": user.has_usable_password(),
        "addresses": [values(row, ADDRESS.columns) for row in addresses],
        "second_factors": [values(row, FACTOR.columns) for row in factors],
        "bots": list(user.bots.order_by("pk").values_list("username", flat=True)),
        "tokens": [
            {"account": token.user.username, **values(token, TOKEN.columns)} for token in tokens
        ],
        "roles": list(user.groups.order_by("name").values_list("name", flat=True)),
    }


EXPORT = Part(
    files,
    {
        "accounts.User": USER,
        "account.EmailAddress": ADDRESS,
        "mfa.Authenticator": FACTOR,
        "accounts.Session": SESSION,
        "accounts.AccessToken": TOKEN,
        "accounts.User_groups": Exported(
            "account.json",
            ("group",),
            {"id": "A number without meaning.", "user": "It is the person."},
        ),
    },
    {
        "accounts.User_user_permissions": "Permissions are given by roles, which are exported.",
        "accounts.GuessCount": "Its rows are named by hashes and live for minutes.",
        "account.EmailConfirmation": "It holds the secret of a link that was sent.",
        "admin.LogEntry": "It is the history of what staff did, and may name other people.",
        "auth.Permission": OF_THE_SITE,
        "auth.Group": OF_THE_SITE,
        "auth.Group_permissions": OF_THE_SITE,
        "contenttypes.ContentType": OF_THE_SITE,
    },
)
