"""App config of play by mail."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MailConfig(AppConfig):
    name = "games.mail"
    verbose_name = _("Play by mail")
