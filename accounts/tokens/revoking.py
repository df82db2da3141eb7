"""Revoking tokens: one, or all of an account and its bots."""

import logging

from django.db.models import QuerySet

from accounts.models import AccessToken, User
from lib.db_clock import now_expression

logger = logging.getLogger("accounts.security")


def valid_of(user: User) -> QuerySet[AccessToken]:
    """The tokens of an account and its bots that have not expired, the newest first."""
    return (
        of_account(user)
        .filter(expires_at__gt=now_expression())
        .select_related("user")
        .order_by("-pk")
    )


def revoke(token: AccessToken) -> bool:
    """Revoke a token; False if it was revoked already."""
    return bool(AccessToken.objects.filter(pk=token.pk).delete()[0])


def revoke_all(user: User) -> int:
    """Revoke all tokens of an account and of its bots; returns their number.

    So a person who gets an account back has it alone.
    """
    count = of_account(user).delete()[0]
    if count:
        logger.info("revoked all %d tokens of user %s and its bots", count, user.pk)
    return count


def of_account(user: User) -> QuerySet[AccessToken]:
    """All tokens of an account and of its bots; asks for the bots at once."""
    # By keys: with a condition on the owner, PostgreSQL would read the tokens of everybody.
    return AccessToken.objects.filter(user__in=[user.pk, *user.bots.values_list("pk", flat=True)])
