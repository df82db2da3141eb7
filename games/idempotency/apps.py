"""App config of idempotency keys."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IdempotencyConfig(AppConfig):
    name = "games.idempotency"
    verbose_name = _("Idempotency keys")
