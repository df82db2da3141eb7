"""Forms that ask for the code of an app or a recovery code; each guess at it is counted."""

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms as allauth

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
