"""How allauth does things here: who may be called what, and how its letters leave.

Its one rule: whoever stands at the door learns nothing about who is known inside. Every sign-up
takes the same path, whether or not the address belongs to somebody; only the letter differs.
"""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import handles
from accounts.models import User, look_alike

logger = logging.getLogger(__name__)

# Machines that answer letters leave ours alone.
HEADERS = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


def holder(email: str) -> User | None:
    """The person who has shown that this address is theirs."""
    address = EmailAddress.objects.filter(email=email.lower(), verified=True).first()
    if address:
        return address.user
    return User.objects.filter(email=email, pending=False).first()


class Adapter(DefaultAccountAdapter):
    def new_user(self, request: HttpRequest) -> User:
        """Letters speak the language in which somebody signed up, until they say otherwise."""
        return User(pending=True, language=get_language() or "")

    def clean_username(self, username: str, shallow: bool = False) -> str:
        for validate in handles.VALIDATORS:
            validate(username)
        User.objects.abandoned().look_alikes(username).delete()
        if other := User.objects.look_alikes(username).first():
            raise look_alike(username, other.username)
        return username

    def clean_email(self, email: str) -> str:
        longest = User._meta.get_field("email").max_length or 0
        if len(email) > longest:
            raise ValidationError(
                _("An e-mail address has at most %(longest)d characters."),
                params={"longest": longest},
            )
        return email

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Sends the code; to an address that is somebody else's, a word that it is, and no code."""
        address = emailconfirmation.email_address
        owner = holder(address.email)
        if owner and owner.pk != address.user_id:
            context = {"user": owner}
            self.send_mail("account/email/account_already_exists", address.email, context)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        context = {"user": user, "notice": True, **(context or {})}
        super().send_notification_mail(template_prefix, user, context, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends one letter. If it cannot leave, the reader is told, and may ask for it again."""
        context = {
            **context,
            "request": self.request,
            "email": email,
            "site_url": settings.SITE_URL,
        }
        letter = self.render_mail(template_prefix, email, context)
        try:
            letter.send()
        except OSError as error:
            # The error's text may hold the address, which is nobody's business in a log.
            logger.error("%s could not be sent: %s", template_prefix, type(error).__name__)
            messages.error(self.request, _sorry(email, notice="notice" in context))

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        return super().render_mail(
            template_prefix, email, context, headers={**HEADERS, **(headers or {})}
        )

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """One count for each name typed, by whichever of its own names the site was reached."""
        return str(credentials.get("email", credentials.get("username", ""))).lower()


def _sorry(email: str, notice: bool) -> str:
    if notice:
        return _("What you changed is changed, but the letter about it could not be sent.")
    return _(
        "The letter to %(email)s could not be sent just now. Nothing is lost: "
        "wait a minute, then ask for a new code."
    ) % {"email": email}
