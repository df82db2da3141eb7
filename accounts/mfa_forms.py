"""Forms that ask for the code of an app or a recovery code; each guess at it is counted."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms as allauth
from allauth.mfa.webauthn import forms as webauthn

from accounts import guesses


class _CountedForm(allauth.BaseAuthenticateForm):
    def clean_code(self) -> str:
        counted = guesses.begin(context.request, f"factor of {self.user.pk}")
        if counted is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()
        guesses.take_back(counted)
        return code


class AuthenticateForm(_CountedForm, allauth.AuthenticateForm):
    """At the log-in, after the password."""


class ReauthenticateForm(_CountedForm, allauth.ReauthenticateForm):
    """Before something that a stolen session should not do."""


class AddWebAuthnForm(webauthn.AddWebAuthnForm):
    """A new security key: a passkey, unless that is unticked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True
