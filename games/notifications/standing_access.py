"""Standing access: devices, webhooks and feeds need no sign-in and survive a new password.

So adding one requires reauthentication, its owner gets an e-mail, and the page after a change of
password says what remains active and how to remove it.
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
    """Whether this user has any device, webhook or feed."""
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
    """Delete all addresses and keys of an erased account, since they identify its owner."""
    for model in (Device, Webhook, Feed, Mailbox):
        model._default_manager.filter(user=user).delete()


def notify_owner(user: User) -> None:
    """Send the owner an e-mail that a device, webhook or feed was added."""
    if user.email:
        get_adapter().send_notification_mail("account/email/access_added", user)


def on_new_password(request: HttpRequest, user: User, **_named: Any) -> None:
    """Show on the next page that devices, webhooks and feeds remain active."""
    if has_any(user):
        text = _("Your devices, webhooks and feeds keep receiving notifications.")
        words = _("Check them, or remove them all.")
        link = reverse("notifications:settings") + "#all"
        messages.warning(request, format_html('{} <a href="{}">{}</a>', text, link, words))


MODELS = (Device, Webhook, Feed)
