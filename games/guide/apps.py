"""App config of the guide."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GuideConfig(AppConfig):
    name = "games.guide"
    verbose_name = _("Guide")
