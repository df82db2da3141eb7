"""App config of the archive: connects the erasure signal."""

from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArchiveConfig(AppConfig):
    name = "games.archive"
    verbose_name = _("Archive")

    def ready(self) -> None:
        from accounts.sign_in.receivers import account_closing

        account_closing.connect(_on_account_closing, dispatch_uid="games.archive")


def _on_account_closing(user: Any, **_: Any) -> None:
    from games.archive.models import ImportedRecord

    ImportedRecord.objects.filter(owner=user).delete()
