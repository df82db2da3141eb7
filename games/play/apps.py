"""App config: registers the `<number:...>` path converter and answers signals of accounts."""

from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "games.play"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from django.urls import register_converter

        from accounts.sign_in.receivers import account_closing, endings_wanted, opponents_wanted
        from games.play.converters import NumberConverter

        register_converter(NumberConverter, "number")
        account_closing.connect(_on_account_closing, dispatch_uid="games.play")
        opponents_wanted.connect(_on_opponents_wanted, dispatch_uid="games.play")
        endings_wanted.connect(_on_endings_wanted, dispatch_uid="games.play")


def _on_account_closing(user: Any, **_: Any) -> None:
    from games.play.commands import matches

    matches.erase_player(user)


def _on_opponents_wanted(user: Any, **_: Any) -> set[int]:
    from games.play.lists.opponents import running_opponents

    return running_opponents(user.pk)


def _on_endings_wanted(user: Any, **_: Any) -> list[tuple[str, str]]:
    from games.play.lists.endings import at_closing

    return at_closing(user.pk)
