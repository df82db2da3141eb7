"""App config of house opponents."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HouseConfig(AppConfig):
    name = "games.house"
    verbose_name = _("Computer opponents")
