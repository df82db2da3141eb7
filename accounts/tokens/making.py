"""Making tokens: names, scopes, terms, and how many an account may have."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import AccessToken, User
from accounts.tokens import texts
from lib.db_clock import now
from lib.spelling import typed_text

READ, PLAY, CHALLENGE = "read", "play", "challenge"
SCOPES = (READ, PLAY, CHALLENGE)  # `read` is in every token
MAX_TOKENS = 20  # of an account
TERM, SHORTEST_TERM, LONGEST_TERM = timedelta(days=365), timedelta(days=30), timedelta(days=730)
WARNED_BEFORE = timedelta(days=7)


class TokenRefused(Exception):  # noqa: N818 -- nothing went wrong.
    """A token was not made; the text says why."""


@dataclass(frozen=True)
class NewToken:
    """A token that was just made, with its text, which is not stored."""

    token: AccessToken
    text: str = field(repr=False)


def create(
    user: User, name: str, scopes: Iterable[str] = (), expires_at: datetime | None = None
) -> NewToken:
    """Make a token of a person or a bot; by default for a year, and only to read.

    Raises TokenRefused, with a sentence, if the name is wrong or taken or the account has
    MAX_TOKENS; ValueError for an unknown scope. Whether the term is allowed is the caller's
    question. An expired token of the same name is replaced.
    """
    wanted = {READ, *scopes}
    if unknown := wanted.difference(SCOPES):
        raise ValueError(f"Unknown scopes: {', '.join(sorted(unknown))}.")
    name = checked_name(name)
    with transaction.atomic():
        # Two requests at once are counted one after the other.
        User.objects.select_for_update().get(pk=user.pk)
        at = now()
        tokens = AccessToken.objects.filter(user=user)
        tokens.filter(name=name, expires_at__lte=at).delete()
        if tokens.filter(name=name).exists():
            raise TokenRefused(
                _("There is a token called %(name)s already. Choose another name.") % {"name": name}
            )
        if tokens.filter(expires_at__gt=at).count() >= MAX_TOKENS:
            raise TokenRefused(
                _("An account has at most %(most)s tokens. Revoke one first.")
                % {"most": MAX_TOKENS}
            )
        text, expires_at = texts.new(), expires_at or at + TERM
        warn_at = expires_at - WARNED_BEFORE
        token = AccessToken.objects.create(
            user=user,
            name=name,
            digest=texts.digest(text),
            scopes=" ".join(scope for scope in SCOPES if scope in wanted),
            created_at=at,
            expires_at=expires_at,
            warn_at=warn_at if warn_at > at else None,
        )
    return NewToken(token, text)


def checked_name(name: str) -> str:
    """The name of a token as it is stored; raises TokenRefused for a wrong one."""
    name, longest = typed_text.name(name), AccessToken._meta.get_field("name").max_length or 0
    if not 0 < len(name) <= longest or not typed_text.is_printable(name):
        raise TokenRefused(
            _("The name of a token has 1 to %(longest)s printable characters.")
            % {"longest": longest}
        )
    return name
