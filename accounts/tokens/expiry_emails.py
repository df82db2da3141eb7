"""E-mails that a token expires within a week."""

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from accounts import ports
from accounts.models import AccessToken
from lib.db_clock import now

BATCH_TOKENS = 100
TEMPLATE = "account/email/token_expires"


def warn_due() -> int:
    """Notify the owners of tokens that expire soon, once of each; returns the number of e-mails."""
    at, sent = now(), 0
    due = AccessToken.objects.filter(warn_at__isnull=False, warn_at__lte=at).order_by("warn_at")
    for number in list(due.values_list("pk", flat=True)[:BATCH_TOKENS]):
        with transaction.atomic():
            # Of several processes only one changes the row, and writes the e-mail with it.
            if AccessToken.objects.filter(pk=number, warn_at__lte=at).update(warn_at=None):
                sent += _warn(number)
    return sent


def _warn(number: int) -> bool:
    """E-mail a token's owner; False if they cannot use it or have no address."""
    token = AccessToken.objects.select_related("user__owner").get(pk=number)
    owner = token.user.owner or token.user
    if not owner.email or not owner.is_active or owner.pending:
        return False
    context = {
        "user": owner,
        "token": token,
        "bot": token.user if token.user.owner else None,
        "site_url": settings.SITE_URL,
    }
    with translation.override(owner.email_language), timezone.override(owner.zoneinfo):
        message = get_adapter().render_mail(TEMPLATE, owner.email, context)
    ports.send_email.one(message, lasting=True)
    return True
