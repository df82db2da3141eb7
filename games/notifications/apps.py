"""App config of notifications: connects the signals of accounts."""

from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "games.notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from allauth.account.signals import (
            email_changed,
            password_changed,
            password_reset,
            password_set,
        )

        from accounts.sign_in.receivers import account_closing, email_written, preferences_changed
        from games.notifications import standing
        from games.notifications.email import account_emails
        from games.outbox.signals import released

        account_closing.connect(_on_account_closing, dispatch_uid="games.notifications")
        email_written.connect(account_emails.on_written, dispatch_uid="games.notifications")
        for changed in (password_changed, password_reset, password_set):
            changed.connect(standing.on_new_password, dispatch_uid="games.notifications")
        email_changed.connect(_on_address, dispatch_uid="games.notifications")
        preferences_changed.connect(_on_preferences, dispatch_uid="games.notifications")
        released.connect(_on_released, dispatch_uid="games.notifications")


def _on_account_closing(user: Any, **_: Any) -> None:
    from games.notifications.models import Device, Feed, Mailbox, Webhook

    # Addresses and keys tell who somebody was; nothing is owed to them any more.
    for model in (Device, Webhook, Feed, Mailbox):
        model._default_manager.filter(user=user).delete()


def _on_address(user: Any, **_: Any) -> None:
    from games.notifications.policy import deliverability

    # What came back from the old address says nothing of the new one.
    deliverability.revive(user)


def _on_released(since: datetime, revive: bool, **_: Any) -> int:
    from games.notifications.policy import deliverability

    deliverability.forget_reports()
    return deliverability.revive_since(since) if revive else 0


def _on_preferences(user: Any, **_: Any) -> None:
    from games.outbox import publishing

    # Their hours are others in another zone.
    publishing.reschedule(user)
