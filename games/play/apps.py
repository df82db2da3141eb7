"""App config of play: registers the `<number:...>` path converter."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "games.play"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from django.urls import register_converter

        from games.play.converters import NumberConverter

        register_converter(NumberConverter, "number")
