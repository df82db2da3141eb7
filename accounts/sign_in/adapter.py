"""allauth's account adapter: checks usernames and addresses, writes account e-mails.

It prevents enumeration: a visitor cannot learn which addresses have an account. Every sign-up
follows the same path, whether or not the address has an account; only the e-mail differs.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import ports
from accounts.models import User, look_alike
from accounts.sign_in import guesses, security_log
from accounts.values import addresses, usernames

MAX_URL_CHARACTERS = 2_048
RATE_LIMITED = ("rate_limited", "too_many_login_attempts")

TEMPLATES = "account/email/"
# E-mails that anybody may request for any address, with or without an account.
ON_REQUEST = ("login_code", "password_reset_code", "unknown_account")
ALL = "all"  # the one key of a rate limit for everybody

# Auto-responders do not answer e-mails with these headers (RFC 3834).
HEADERS = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


def confirmed_owner(email: str) -> User | None:
    """The user who has confirmed this address, or None."""
    address = EmailAddress.objects.filter(email=addresses.canonical(email), verified=True).first()
    owner: User | None = (
        address.user if address else User.objects.filter(email=email, pending=False).first()
    )
    return owner


def mailbox_of(email: str) -> str:
    """The address without what many providers ignore: case, dots, and a suffix after a plus.

    Only for rate limits, so that other spellings of an address share its count. With some
    providers, two mailboxes share a count.
    """
    local, _at, domain = addresses.canonical(email).rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


class Adapter(DefaultAccountAdapter):
    """Our account adapter, named by ACCOUNT_ADAPTER."""

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a redirect to this URL is safe; URLs that are too long are not."""
        # The library normalises it in quadratic time of its combining characters.
        return len(url or "") <= MAX_URL_CHARACTERS and bool(super().is_safe_url(url))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether visitors may create accounts; staff can close sign-up."""
        return ports.sign_up_is_open.one()

    def new_user(self, request: HttpRequest) -> User:
        """A pending user, with the language of the sign-up page for their e-mails."""
        newcomer = {"first_steps": True, "guided": True}
        return User(pending=True, language=get_language() or "", **newcomer)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        for validate in usernames.VALIDATORS:
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
        return addresses.canonical(email)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """E-mail the code; if another user has the address, a notice instead."""
        address = emailconfirmation.email_address
        owner = confirmed_owner(address.email)
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
        """Write one e-mail, which a worker then sends; raises a 429 response over the rate limit.

        Notices about an account are not limited, since they follow an action of its user.
        """
        notice = "notice" in context
        if not notice and not self._count_email(template_prefix, email):
            return
        context = {
            **context,
            "request": self.request,
            "email": email,
            "site_url": settings.SITE_URL,
            "sign_up_open": ports.sign_up_is_open.one(),
        }
        message = self.render_mail(template_prefix, email, context)
        ports.send_email.one(message, lasting=notice)

    def _count_email(self, template_prefix: str, email: str) -> bool:
        """Count an e-mail that a visitor caused; whether it may be sent.

        E-mails to addresses without an account, and those of sign-ups, have a ceiling of their own,
        so that they leave a part for the users. Above it, a sign-up gets a 429 response. A code to
        sign in is requested for an address with or without an account, so the response must be the
        same, and the e-mail that there is no account is not sent.
        """
        self._consume(email_to=mailbox_of(email), email_from=None)
        if self._is_for_user(template_prefix, email):
            self._consume(email=ALL)
        elif template_prefix.removeprefix(TEMPLATES) not in ON_REQUEST:
            self._consume(email_to_strangers=ALL, email=ALL)
        elif ratelimit.consume(self.request, action="email_to_strangers", key=ALL):
            self._consume(email=ALL)
        else:
            self._consume(dry_run=True, email=ALL)
            return False
        return True

    def _is_for_user(self, template_prefix: str, email: str) -> bool:
        """Whether an e-mail is for somebody with an account, and not for a sign-up."""
        if self.request.user.is_authenticated:
            return True
        requested = template_prefix.removeprefix(TEMPLATES) in ON_REQUEST
        return requested and confirmed_owner(email) is not None

    def _consume(self, *, dry_run: bool = False, **keys: str | None) -> None:
        """Count a use of these rate limits; raises a 429 response over one of them."""
        for action, key in keys.items():
            if not ratelimit.consume(self.request, action=action, key=key, dry_run=dry_run):
                raise ImmediateHttpResponse(ratelimit.respond_429(self.request))

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        message: EmailMessage = super().render_mail(
            template_prefix, email, context, headers={**HEADERS, **(headers or {})}
        )
        return message

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error for this code; rate limits are also logged in the security log."""
        if code in RATE_LIMITED:
            request = self.request
            security_log.note("too many attempts", request, request.user.pk if request else None)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def generate_login_code(self) -> str:
        return self._restart_count(super().generate_login_code())

    def generate_password_reset_code(self) -> str:
        return self._restart_count(super().generate_password_reset_code())

    def generate_email_verification_code(self) -> str:
        return self._restart_count(super().generate_email_verification_code())

    def _restart_count(self, code: str) -> str:
        self.request.session.forget_guesses()
        return code

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a guess at a password before it is tried, instead of in allauth's cache."""
        name = self._get_login_attempts_cache_key(request, **credentials)
        self._guess = guesses.count(request, name)
        if self._guess is None:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        guesses.uncount(self._guess or ())

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        guesses.reset(self._get_login_attempts_cache_key(request, **credentials))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Failed log-ins are counted by the typed name only, not by the request's host name."""
        return str(credentials.get("email", credentials.get("username", ""))).lower()
