"""`manage.py api_token USERNAME --name NAME`: makes or revokes a token for the API."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import AccessToken, User
from accounts.sign_in import security_log
from accounts.tokens import making, revoking


class Command(BaseCommand):
    help = (
        "Makes a token for the API and prints it alone on standard output, or revokes one. "
        "No e-mail is sent."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="a person or a bot")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--name", help="the name of the new token")
        what.add_argument("--revoke", metavar="NAME", help="revoke the token of this name")
        parser.add_argument(
            "--scopes",
            default=making.READ,
            help=f"separated by commas, of {', '.join(making.SCOPES)}; default: {making.READ}",
        )
        parser.add_argument(
            "--expires",
            metavar="INSTANT",
            help="such as 2027-01-31T12:00:00Z, may be past; default: in a year",
        )

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        user = User.objects.filter(username__iexact=username).first()
        if user is None:
            raise CommandError(f"Nobody has the username {username}.")
        if options["revoke"] is not None:
            self._revoke(user, options["revoke"])
            return
        if user.is_house or user.pending or user.is_former:
            raise CommandError(f"{user} can have no tokens: it is not the account of a member.")
        scopes = [scope.strip() for scope in options["scopes"].split(",")]
        if unknown := sorted(set(scopes).difference(making.SCOPES)):
            known = ", ".join(making.SCOPES)
            raise CommandError(f"There is no scope {', '.join(unknown)}; there are {known}.")
        expires_at = _instant(options["expires"]) if options["expires"] else None
        try:
            made = making.create(user, options["name"], scopes, expires_at)
        except making.TokenRefused as refused:
            raise CommandError(str(refused)) from None
        security_log.note(f"made token {made.token.pk}", None, user.pk)
        self.stdout.write(made.text)

    def _revoke(self, user: User, name: str) -> None:
        token = AccessToken.objects.filter(user=user, name=name).first()
        if token is None or not revoking.revoke(token):
            raise CommandError(f"{user} has no token called {name}.")
        security_log.note(f"revoked token {token.pk}", None, user.pk)
        self.stderr.write(f"Revoked the token {name} of {user}.")


def _instant(text: str) -> datetime:
    """An instant in ISO 8601, in UTC unless it names an offset; raises CommandError."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f"{text} is no instant. Write one such as 2027-01-31T12:00:00Z."
        ) from None
    return (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC)
