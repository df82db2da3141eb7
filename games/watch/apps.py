"""App config of watching."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WatchConfig(AppConfig):
    name = "games.watch"
    verbose_name = _("Watching")
