"""What follows when somebody comes, confirms, leaves or is refused.

Who used which door is logged by number and network address, never by what was typed: people type
passwords into the wrong field.
"""

import logging
import time
from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.core.internal.httpkit import get_client_ip
from allauth.mfa import signals as mfa
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from accounts.middleware import SEEN

logger = logging.getLogger("accounts.doors")

# Somebody is about to be forgotten, in this very transaction; what hangs on them may be settled.
# Arguments: user, still under their own name.
leaving = Signal()
# Somebody has chosen another zone or language, perhaps. Arguments: user.
preferences_changed = Signal()


@receiver(account.email_confirmed)
def accept(email_address: EmailAddress, **_: Any) -> None:
    """From now on they are somebody: others see them, and no one else may have the address."""
    user = email_address.user
    if user.pending:
        user.pending = False
        user.save(update_fields=["pending"])


@receiver(user_logged_in)
def enter(request: HttpRequest, **_: Any) -> None:
    # The log-in itself has just told the list of sessions.
    request.session[SEEN] = int(time.time())


@receiver(user_logged_out)
def leave(request: HttpRequest, **_: Any) -> None:
    request.signed_out = True  # type: ignore[attr-defined]


def _log(event: str) -> Any:
    def note(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
        where = get_client_ip(request) if request else "a command"
        logger.info("%s: user %s from %s", event, getattr(user, "pk", None), where)

    return note


for _signal, _event in {
    user_logged_in: "signed in",
    user_logged_out: "signed out",
    user_login_failed: "refused at the door",
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
    _signal.connect(_log(_event), weak=False, dispatch_uid=f"doors: {_event}")
