"""App config of competitions."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "games.competitions"
    verbose_name = _("Competitions")
