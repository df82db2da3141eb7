"""Receivers of signals: log-in, log-out, confirmed addresses, and the security log of all."""

import time
from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from accounts.sign_in import security_log
from accounts.sign_in.second_factors import FACTORS
from accounts.sign_in.second_factors import note_enrolment as count_as_used
from accounts.tokens import revoking
from accounts.user_sessions import listing
from accounts.user_sessions.store import SIGNED_IN


@receiver(account.email_confirmed)
def activate(email_address: EmailAddress, **_: Any) -> None:
    """Activate a confirmed sign-up: the user becomes visible and owns the address."""
    user = email_address.user
    if user.pending:
        user.pending = False
        user.save(update_fields=["pending"])


@receiver(user_logged_in)
def note_log_in(request: HttpRequest, **_: Any) -> None:
    request.session[SIGNED_IN] = time.time()
    listing.note_visit(request)


@receiver([account.password_changed, account.password_set, account.password_reset])
def end_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    listing.end_others(user, request)
    revoking.revoke_all(user)


@receiver(account.email_changed)
def revoke_tokens(user: User, **_: Any) -> None:
    revoking.revoke_all(user)


@receiver(user_logged_out)
def note_log_out(request: HttpRequest, **_: Any) -> None:
    request.signed_out = True  # type: ignore[attr-defined]


@receiver(mfa.authenticator_added)
def note_enrolment(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """End sessions that signed in without a new factor; this one counts as having used it."""
    if authenticator.type in FACTORS:
        count_as_used(request, authenticator)
        listing.end_others(user, request)


def _log(event: str) -> Any:
    def note(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
        security_log.note(event, request, getattr(user, "pk", None))

    return note


for _signal, _event in {
    user_logged_in: "signed in",
    user_logged_out: "signed out",
    user_login_failed: "failed to sign in",
    account.user_signed_up: "signed up",
    account.password_changed: "changed the password",
    account.password_reset: "reset the password",
    account.email_changed: "changed the address",
    account.login_code_rejected: "gave a wrong code to sign in",
    account.password_reset_code_rejected: "gave a wrong code to reset the password",
    account.email_verification_code_rejected: "gave a wrong code to confirm an address",
    mfa.authenticator_added: "added a second factor",
    mfa.authenticator_removed: "removed a second factor",
    mfa.authenticator_reset: "renewed a second factor",
    mfa.authentication_failed: "failed at the second factor",
}.items():
    _signal.connect(_log(_event), weak=False, dispatch_uid=f"security log: {_event}")
