"""App config of play by mail: receivers of signals of accounts and games.play."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MailConfig(AppConfig):
    name = "games.mail"
    verbose_name = _("Play by mail")

    def ready(self) -> None:
        from accounts.sign_in.receivers import account_closing
        from games.play.clocks.signals import doors_asked, unread_wanted

        account_closing.connect(_on_account_closing, dispatch_uid="games.mail")
        unread_wanted.connect(_on_unread_wanted, dispatch_uid="games.mail")
        doors_asked.connect(_on_doors_asked, dispatch_uid="games.mail")


def _on_account_closing(user: Any, **_: Any) -> None:
    from games.mail.models import IncomingMessage

    IncomingMessage.objects.filter(user=user).delete()


def _on_unread_wanted(user_ids: Collection[int], **_: Any) -> dict[int, datetime]:
    from games.mail.unread_messages import first_unread

    return first_unread(user_ids)


def _on_doors_asked(**_: Any) -> bool | None:
    from games.mail.inbound import listener_probe

    return listener_probe.is_open()
