"""Forms of the account pages: log-in, sign-up, address, preferences, closing the account."""

import logging
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.core import context
from allauth.core.internal.httpkit import get_client_ip
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.sign_in import guesses
from accounts.sign_in.adapter import confirmed_owner
from accounts.values import time_zones
from accounts.values.compared_forms import ComparedForm
from accounts.values.field_lengths import limit_texts
from accounts.values.time_zone_field import ZoneField
from accounts.values.typed_fields import TypedForm

logger = logging.getLogger("accounts.security")

MAX_LOGIN_CHARACTERS = 320  # of the longest address
MAX_CODE_GUESSES = 3  # as allauth's own count

NOW, LATER = "now", "later"
WHEN = [
    (LATER, _("When my matches have ended; until then I can begin nothing new")),
    (NOW, _("Now; I resign my matches")),
]

THEMES = [("", _("Same as the device")), ("light", _("Light")), ("dark", _("Dark"))]


def check_rate_limit(email: str) -> None:
    """Raise ValidationError if an address was sent too many codes, with or without an account."""
    if not consume_email_verification_rate_limit(context.request, email, dry_run=True):
        raise forms.ValidationError(
            _(
                "An e-mail has just been sent to this address. Please wait a moment before you "
                "request another."
            )
        )


def has_code(request: HttpRequest, user: AbstractBaseUser) -> bool:
    """Whether this browser's session has a valid code pending for this user."""
    pending = EmailVerificationProcess.resume(request)
    return pending is not None and pending.user == user


class TrapInput(forms.TextInput):
    """Honeypot field: hidden from people, filled in by spam bots."""

    is_hidden = True


@limit_texts
class LoginForm(TypedForm, allauth.LoginForm):
    """Log-in by username or address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = _("Username or e-mail address")
        # SQLite refuses patterns of more than 50,000 bytes.
        login.validators.append(MaxLengthValidator(MAX_LOGIN_CHARACTERS))
        login.widget = forms.TextInput({"autocomplete": "username", "autocapitalize": "none"})
        self.fields["password"].widget.attrs.pop("placeholder")

    def user_credentials(self) -> dict[str, str]:
        """Credentials for one attempt: a login with @ is an address, any other a username.

        Trying an address as a username too would hash the password twice, which can be timed.
        """
        login = self.cleaned_data["login"]
        name = "email" if "@" in login else "username"
        return {name: login, "password": self.cleaned_data["password"]}

    def clean(self) -> dict[str, Any]:
        """Check the rate limit before a user with an unconfirmed address is sent a new code."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        user = self.user
        if user is not None and user.pending and not has_code(context.request, user):
            check_rate_limit(user.email)
        return cleaned

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Sign in; if this browser's sign-up still waits for its code, return to that page."""
        if self.user.pending and has_code(request, self.user):
            return redirect("account_email_verification_sent")
        response: HttpResponse = super().login(request, redirect_url)
        return response


@limit_texts
class SignupForm(TypedForm, allauth.SignupForm):
    """Sign-up; its response does not reveal whether the address has an account."""

    # A script fills it in; without scripts it can be changed in the preferences.
    zone = forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput({"data-zone": ""})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email, handle, password = (self.fields[n] for n in ("email", "username", "password1"))
        email.label = _("E-mail address")
        email.help_text = _("We send your e-mails there. Nobody else sees it.")
        handle.label = _("Username")
        handle.help_text = User._meta.get_field("username").help_text
        for field in (email, handle, password):
            field.widget.attrs.pop("placeholder", None)
        handle.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
        trap = self.fields[settings.ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD]
        trap.widget = TrapInput({"hidden": True, "tabindex": "-1", "autocomplete": "off"})

    def clean_zone(self) -> str:
        zone = self.cleaned_data["zone"]
        return time_zones.find(zone) or time_zones.DEFAULT

    def clean_email(self) -> str:
        email: str = super().clean_email()
        check_rate_limit(email)
        User.objects.abandoned().filter(email=email).delete()
        return email

    def validate_unique_email(self, value: str) -> str:
        """Accept any address: only the e-mail reveals that it has an account already."""
        return value

    def signup(self, request: HttpRequest, user: User) -> None:
        user.zone = self.cleaned_data["zone"]
        user.save(update_fields=["zone"])

    def try_save(self, request: HttpRequest) -> tuple[AbstractBaseUser | None, HttpResponse | None]:
        try:
            with transaction.atomic():
                saved: tuple[AbstractBaseUser | None, HttpResponse | None]
                saved = super().try_save(request)
                return saved
        except IntegrityError:
            # Another request has taken the username since it was checked.
            messages.error(
                request,
                _(
                    "This username was taken a moment ago. If you clicked twice, it is yours: "
                    "sign in with it. Otherwise choose another."
                ),
            )
            return None, redirect("account_signup")


@limit_texts
class ChangeEmailForm(TypedForm, allauth.ChangeEmailForm):
    """Changes the address of a sign-up that waits for its code."""

    account_already_exists = False

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"])
        check_rate_limit(email)
        return email


@limit_texts
class AddEmailForm(TypedForm, allauth.AddEmailForm):
    """Asks for another address of a user."""


@limit_texts
class RequestLoginCodeForm(TypedForm, allauth.RequestLoginCodeForm):
    """Asks for the address to which a code to sign in is sent."""


@limit_texts
class ResetPasswordForm(TypedForm, allauth.ResetPasswordForm):
    """Asks for the address to which a code to choose a new password is sent."""


@limit_texts
class CodeForm(TypedForm, allauth.BaseConfirmCodeForm):
    """Asks for a mailed code, with three guesses per code even if they are sent in parallel.

    allauth counts in the session's data, where parallel guesses count as one.
    """

    def clean_code(self) -> str:
        if not context.request.session.count_guess(MAX_CODE_GUESSES):
            logger.info("too many guesses at a code: from %s", get_client_ip(context.request))
            raise get_adapter().validation_error("incorrect_code")
        code: str = allauth.BaseConfirmCodeForm.clean_code(self)
        return code


@limit_texts
class ConfirmEmailForm(CodeForm, allauth.ConfirmEmailVerificationCodeForm):
    """Confirms an address by the code that was sent there."""

    def clean_code(self) -> str:
        """The code; refused if another user has already confirmed this address."""
        code = super().clean_code()
        owner = confirmed_owner(self.email)
        if owner and owner != self.user:
            raise get_adapter().validation_error("email_taken")
        return code


@limit_texts
class ChangePasswordForm(allauth.ChangePasswordForm):
    """Changes the password; guesses at the old one are limited as at log-in."""

    def clean_oldpassword(self) -> str:
        counted = guesses.count(context.request, f"password of {self.user.pk}")
        if counted is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        password: str = super().clean_oldpassword()
        guesses.uncount(counted)
        return password


class PreferencesForm(ComparedForm, forms.ModelForm):
    """Time zone, language and colours."""

    zone = ZoneField(
        label=_("Time zone"),
        help_text=_(
            "Deadlines and reminders use this time zone. Type a city, such as Paris or New York."
        ),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("Same as the browser")), *settings.LANGUAGES],
        required=False,
    )
    theme = forms.ChoiceField(
        label=_("Colours"), choices=THEMES, required=False, widget=forms.RadioSelect
    )

    class Meta:
        model = User
        fields = ["zone", "language", "theme"]


class CloseAccountForm(TypedForm, forms.Form):
    """Confirms that the account is to be closed, by its typed username."""

    when = forms.ChoiceField(
        label=_("When?"),
        choices=WHEN,
        initial=LATER,
        required=False,
        widget=forms.RadioSelect,
    )
    handle = forms.CharField(label=_("Your username"), max_length=150)

    def __init__(self, user: User, *args: Any, has_matches: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not has_matches:
            del self.fields["when"]

    @property
    def is_later(self) -> bool:
        """Whether a valid form asks to close the account when the matches have ended."""
        return self.cleaned_data.get("when") == LATER

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"].strip()
        if handle.lower() != self.user.username.lower():
            raise forms.ValidationError(
                _("To close the account, type its username: %(handle)s."),
                params={"handle": self.user.username},
            )
        return handle
