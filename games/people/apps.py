"""App config of people."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "games.people"
    verbose_name = _("People")
