from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "games.play"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from django.urls import register_converter

        from accounts.signals import leaving
        from games.play.converters import NumberConverter

        register_converter(NumberConverter, "number")
        leaving.connect(_on_leaving, dispatch_uid="games.play")


def _on_leaving(user: Any, **_: Any) -> None:
    from games.play import commands

    commands.leave(user)
