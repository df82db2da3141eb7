"""What people fill in about themselves."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.core import context
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import zones
from accounts.adapter import holder
from accounts.models import User

THEMES = [("", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))]


def refuse_flood(email: str) -> None:
    """Raises ValidationError once an address has been sent enough codes; known or not, alike."""
    if not consume_email_verification_rate_limit(context.request, email, dry_run=True):
        raise forms.ValidationError(
            _("A letter to this address is under way. Wait a little before you ask for another.")
        )


class TrapInput(forms.TextInput):
    """A field that no person sees and that machines fill in."""

    is_hidden = True


class LoginForm(allauth.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = _("Handle or e-mail address")
        login.widget = forms.TextInput({"autocomplete": "username", "autocapitalize": "none"})
        self.fields["password"].widget.attrs.pop("placeholder")

    def user_credentials(self) -> dict[str, str]:
        """One name, tried once: an address tried as a handle too would take twice the time."""
        login = self.cleaned_data["login"]
        name = "email" if "@" in login else "username"
        return {name: login, "password": self.cleaned_data["password"]}


class SignupForm(allauth.SignupForm):
    # A script fills it in where there are scripts; it can be changed among the preferences.
    zone = forms.CharField(required=False, widget=forms.HiddenInput({"data-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email, handle, password = (self.fields[n] for n in ("email", "username", "password1"))
        email.label = _("E-mail address")
        email.help_text = _("Your letters go there. Nobody else sees it.")
        handle.label = _("Handle")
        handle.help_text = User._meta.get_field("username").help_text
        for field in (email, handle, password):
            field.widget.attrs.pop("placeholder", None)
        handle.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
        trap = self.fields[settings.ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD]
        trap.widget = TrapInput({"hidden": True, "tabindex": "-1", "autocomplete": "off"})

    def clean_zone(self) -> str:
        zone = self.cleaned_data["zone"]
        return zone if zone in zones.names() else zones.DEFAULT

    def clean_email(self) -> str:
        email: str = super().clean_email()
        refuse_flood(email)
        User.objects.abandoned().filter(email=email).delete()
        return email

    def validate_unique_email(self, value: str) -> str:
        """Never refuses: whose an address is, is for the letter to say."""
        return value

    def signup(self, request: HttpRequest, user: User) -> None:
        user.zone = self.cleaned_data["zone"]
        user.save(update_fields=["zone"])

    def try_save(self, request: HttpRequest) -> tuple[AbstractBaseUser | None, HttpResponse | None]:
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            # The handle was free when it was looked up: two hands have grasped it at once.
            messages.error(
                request,
                _(
                    "This handle was taken a moment ago. If it was you, by a second click, "
                    "sign in with it; else choose another."
                ),
            )
            return None, redirect("account_signup")


class ChangeEmailForm(allauth.ChangeEmailForm):
    """Corrects the address of a sign-up that waits for its code."""

    account_already_exists = False

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"])
        refuse_flood(email)
        return email


class ConfirmEmailForm(allauth.ConfirmEmailVerificationCodeForm):
    def clean_code(self) -> str:
        """Who has read the letter has the address, whoever else signed up with it unconfirmed."""
        code: str = allauth.BaseConfirmCodeForm.clean_code(self)
        owner = holder(self.email)
        if owner and owner != self.user:
            raise get_adapter().validation_error("email_taken")
        return code


class PreferencesForm(forms.ModelForm):
    zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zones.choices,
        help_text=_("Deadlines are shown, and reminders sent, by its clocks."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("As the browser asks")), *settings.LANGUAGES],
        required=False,
    )
    theme = forms.ChoiceField(
        label=_("Colours"), choices=THEMES, required=False, widget=forms.RadioSelect
    )

    class Meta:
        model = User
        fields = ["zone", "language", "theme"]


class LeavingForm(forms.Form):
    handle = forms.CharField(label=_("Your handle"))

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"].strip()
        if handle.lower() != self.user.username.lower():
            raise forms.ValidationError(
                _("To close the account, type its handle: %(handle)s."),
                params={"handle": self.user.username},
            )
        return handle
