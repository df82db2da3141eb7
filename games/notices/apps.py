from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "games.notices"
    verbose_name = _("Notices")

    def ready(self) -> None:
        from allauth.account.signals import email_changed

        from accounts.signals import leaving, preferences_changed
        from games.notices import seal

        seal.public_key()  # a key that is none is refused here, not at the first notice
        leaving.connect(_on_leaving, dispatch_uid="games.notices")
        email_changed.connect(_on_address, dispatch_uid="games.notices")
        preferences_changed.connect(_on_preferences, dispatch_uid="games.notices")


def _on_leaving(user: Any, **_: Any) -> None:
    from games.notices.models import Device, Feed, Hook, Mailbox

    # Addresses and keys tell who somebody was; nothing is owed to them any more.
    for model in (Device, Hook, Feed, Mailbox):
        model._default_manager.filter(user=user).delete()


def _on_address(user: Any, **_: Any) -> None:
    from games.notices import health

    # What came back from the old address says nothing of the new one.
    health.revive(user)


def _on_preferences(user: Any, **_: Any) -> None:
    from games.relay import outbox

    # Their hours are others in another zone.
    outbox.reconsider(user)
