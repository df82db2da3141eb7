"""App config of notifications: connects signals of changed passwords and e-mail addresses."""

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

        from games.notifications import standing_access

        for changed in (password_changed, password_reset, password_set):
            changed.connect(standing_access.on_new_password, dispatch_uid="games.notifications")
        email_changed.connect(_on_address, dispatch_uid="games.notifications")


def _on_address(user: Any, **_: Any) -> None:
    from games.notifications.policy import deliverability

    # Bounces of the old address do not apply to the new one.
    deliverability.revive(user)
