"""App config of the lobby: connects the erasure signal."""

from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    name = "games.lobby"
    verbose_name = _("Lobby")

    def ready(self) -> None:
        from accounts.sign_in.receivers import account_closing

        account_closing.connect(_on_account_closing, dispatch_uid="games.lobby")


def _on_account_closing(user: Any, **_: Any) -> None:
    from games.lobby import commands

    commands.erase_player(user)
