from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "games.notices"
    verbose_name = _("Notices")

    def ready(self) -> None:
        from accounts.signals import preferences_changed

        preferences_changed.connect(_on_preferences, dispatch_uid="games.notices")


def _on_preferences(user: Any, **_: Any) -> None:
    from games.relay import outbox

    # Their hours are others in another zone.
    outbox.reconsider(user)
