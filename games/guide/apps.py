"""App config of the guide."""

from django.apps import AppConfig
from django.urls import register_converter
from django.utils.translation import gettext_lazy as _

from games.guide.converters import PlayedConverter


class GuideConfig(AppConfig):
    name = "games.guide"
    verbose_name = _("Guide")

    def ready(self) -> None:
        register_converter(PlayedConverter, "played")
