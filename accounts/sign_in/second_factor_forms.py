"""Forms of second factors: guesses at codes are limited, malformed passkey data is refused.

The response of a passkey is untrusted input. The libraries that parse it (JSON, CBOR, keys) raise
many undocumented exceptions.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms as allauth
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import DatabaseError
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.sign_in import guesses
from accounts.values.field_lengths import limit_texts
from accounts.values.typed_fields import TypedForm

logger = logging.getLogger("accounts.security")

MAX_CREDENTIAL_CHARACTERS = 32 * 1024  # a real one has some 2,000
MAX_NAME_CHARACTERS = 60
# For which a code of an app is valid, with the tolerance; allauth notes a used one for 30 seconds.
USED_SECONDS = (2 * settings.MFA_TOTP_TOLERANCE + 1) * 30


@limit_texts
class _CountedForm(TypedForm, allauth.BaseAuthenticateForm):
    def clean_code(self) -> str:
        counted = guesses.count(context.request, f"factor of {self.user.pk}")
        if counted is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()
        # The cache may be dumped, so it never holds the code itself.
        used = salted_hmac("accounts.used_factor", f"{self.user.pk} {code}", algorithm="sha256")
        if not cache.add(f"accounts.used_factor.{used.hexdigest()}", 1, USED_SECONDS):
            raise get_adapter().validation_error("incorrect_code")
        guesses.uncount(counted)
        return code


@limit_texts
class AuthenticateForm(_CountedForm, allauth.AuthenticateForm):
    """Asks for a code at log-in, after the password."""


@limit_texts
class ReauthenticateForm(_CountedForm, allauth.ReauthenticateForm):
    """Asks for a code before an action that a stolen session must not do."""


@limit_texts
class ActivateForm(TypedForm, totp.ActivateTOTPForm):
    """Asks for the first code of an authenticator app."""


class _CredentialDecoder(json.JSONDecoder):
    """JSON decoder that treats overlong, deeply nested or otherwise unreadable text as invalid."""

    def decode(self, s: str, *args: Any) -> Any:
        try:
            if len(s) > MAX_CREDENTIAL_CHARACTERS:
                raise ValueError
            return super().decode(s, *args)
        except (RecursionError, ValueError):
            raise json.JSONDecodeError("It cannot be read", "", 0) from None


@contextmanager
def _unreadable_is_wrong() -> Iterator[None]:
    """Turn any exception of parsing a credential into "incorrect code"."""
    try:
        yield
    except (ValidationError, DatabaseError):
        raise
    except Exception as error:
        # Not the exception's text, which may quote the credential.
        logger.info("the response of a passkey cannot be read (%s)", type(error).__name__)
        raise get_adapter().validation_error("incorrect_code") from None


class _CredentialForm(forms.Form):
    """Base of forms with a field `credential`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        credential: Any = self.fields["credential"]
        credential.decoder = _CredentialDecoder


class _AnsweringForm(_CredentialForm):
    def clean_credential(self) -> Any:
        with _unreadable_is_wrong():
            return super().clean_credential()  # type: ignore[misc]


@limit_texts
class LoginWebAuthnForm(_AnsweringForm, webauthn.LoginWebAuthnForm):
    """Log-in by a passkey, without a password."""


@limit_texts
class AuthenticateWebAuthnForm(_AnsweringForm, webauthn.AuthenticateWebAuthnForm):
    """Asks for a passkey at log-in, after the password."""


@limit_texts
class ReauthenticateWebAuthnForm(_AnsweringForm, webauthn.ReauthenticateWebAuthnForm):
    """Asks for a passkey before an action that a stolen session must not do."""


def _limit_name(form: forms.Form) -> None:
    name: Any = form.fields["name"]
    name.max_length = MAX_NAME_CHARACTERS
    name.widget.attrs["maxlength"] = str(MAX_NAME_CHARACTERS)
    name.validators.append(MaxLengthValidator(MAX_NAME_CHARACTERS))


@limit_texts
class AddWebAuthnForm(_CredentialForm, webauthn.AddWebAuthnForm):
    """Adds a security key, as a passkey unless that is unticked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _limit_name(self)
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = _(
            "Sign in with this key alone; it will ask for a PIN or fingerprint."
        )

    def clean(self) -> dict[str, Any]:
        with _unreadable_is_wrong():
            cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        return cleaned


@limit_texts
class EditWebAuthnForm(webauthn.EditWebAuthnForm):
    """Renames a security key."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _limit_name(self)
