from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    name = "games.lobby"
    verbose_name = _("Lobby")

    def ready(self) -> None:
        from accounts.signals import leaving

        leaving.connect(_on_leaving, dispatch_uid="games.lobby")


def _on_leaving(user: Any, **_: Any) -> None:
    from games.lobby import commands

    commands.leave(user)
