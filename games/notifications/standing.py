"""Standing access: devices, webhooks and feeds need no sign-in and outlive a new password.

So adding one asks who it is, its owner is told of it, and whoever changes their password is shown
what goes on and how to end all of it.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications.channels import feeds, web_push, webhooks
from games.notifications.models import Device, Feed, Mailbox, Webhook


def has_any(user: User) -> bool:
    """Whether anything of this person's goes on without them."""
    return any(model._default_manager.filter(user=user).exists() for model in MODELS)


def close_all(user: User) -> None:
    """Remove all devices and webhooks, and turn off the feeds."""
    with command_transaction():
        Device.objects.filter(user=user).delete()
        Webhook.objects.filter(user=user).delete()
        feeds.close(user)
        web_push.refresh(user)
        webhooks.refresh(user)


def delete_channels_of(user: User) -> None:
    """Delete addresses and keys of an account that is erased: they tell who somebody was."""
    for model in (Device, Webhook, Feed, Mailbox):
        model._default_manager.filter(user=user).delete()


def tell_owner(user: User) -> None:
    """E-mail its owner that something was added which others could read along with."""
    if user.email:
        get_adapter().send_notification_mail("account/email/access_added", user)


def on_new_password(request: HttpRequest, user: User, **_named: Any) -> None:
    """Say on the next page what a new password does not end."""
    if has_any(user):
        text = _("Your devices, webhooks and feeds keep receiving notifications.")
        words = _("Check them, or remove them all.")
        link = reverse("notifications:settings") + "#all"
        messages.warning(request, format_html('{} <a href="{}">{}</a>', text, link, words))


MODELS = (Device, Webhook, Feed)
