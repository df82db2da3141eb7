"""Notification preferences of a person, kept in the one JSON column of their own row.

So no notification costs a query to find out. What is not written there is as it is by default, and
what is written there and makes no sense counts as not written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.policy.kinds import Channel, Detail, NotificationKind
from games.outbox import publishing


class BoardStyle(TextChoices):
    """How an e-mail shows a board."""

    DRAWN = "drawn", _("Text diagram (monospaced)")
    LIST = "list", _("List of sentences, for phones, screen readers and braille")


class Frequency(TextChoices):
    NOW = "now", _("Immediately")
    CALM = "calm", _("Once until I come back")
    DAILY = "daily", _("Once a day")
    TWICE = "twice", _("Twice a day")


@dataclass(frozen=True)
class Preferences:
    frequency: str = Frequency.CALM
    first_hour: int = 8  # of a digest, by the reader's clocks
    second_hour: int = 18
    quiet_from: int | None = None  # the hour at which it grows quiet
    quiet_until: int | None = None
    email_detail: str = Detail.BOARD
    push_detail: str = Detail.TURN
    by_mail: bool = False  # they play by e-mail, so that no e-mail may wait for a visit
    board_style: str = BoardStyle.DRAWN
    receipts: bool = True  # whether a move that was played by e-mail is confirmed
    ask_on_site: bool = False  # whether what an e-mail asks for waits for a click on the site
    unwanted: tuple[str, ...] = ()  # "push turn"
    # The channels besides e-mail that the person has; whoever has none costs no query of a table.
    ways: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by_mail and self.frequency == Frequency.CALM:
            object.__setattr__(self, "frequency", Frequency.NOW)

    def wants(self, channel: Channel, kind: NotificationKind) -> bool:
        return f"{channel} {kind}" not in self.unwanted

    @property
    def is_digest(self) -> bool:
        return self.frequency in (Frequency.DAILY, Frequency.TWICE)

    @property
    def hours(self) -> tuple[int, ...]:
        """The hours of the day at which a digest leaves."""
        return (
            (self.first_hour,)
            if self.frequency == Frequency.DAILY
            else (self.first_hour, self.second_hour)
        )


DEFAULT = Preferences()
_CHOICES: dict[str, Collection[Any]] = {
    "frequency": Frequency.values,
    "email_detail": Detail.values,
    "push_detail": (Detail.TURN, Detail.MOVE),
    "board_style": BoardStyle.values,
}
_made = lru_cache(maxsize=1000)(Preferences)  # asked several times for each notification
_SWITCHES = ("by_mail", "receipts", "ask_on_site")
_HOURS = ("first_hour", "second_hour", "quiet_from", "quiet_until")


def of(user: User) -> Preferences:
    """The preferences of this person."""
    written = (
        user.notification_preferences if isinstance(user.notification_preferences, dict) else {}
    )
    known: dict[str, Any] = {}
    for name, value in written.items():
        if name in ("unwanted", "ways"):
            if isinstance(value, list):
                known[name] = tuple(str(item) for item in value)
        elif name in _CHOICES:
            if value in _CHOICES[name]:
                known[name] = value
        elif name in _SWITCHES:
            known[name] = value is True
        elif name in _HOURS and type(value) is int and 0 <= value < 24:
            known[name] = value
    return _made(**known)


@transaction.atomic
def change(user: User, **changed: Any) -> Preferences:
    """Writes some of them anew; what waits in the outbox for this person is looked at again."""
    kept = User.objects.select_for_update().get(pk=user.pk)
    changed_preferences = replace(of(kept), **changed)
    user.notification_preferences = kept.notification_preferences = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(changed_preferences).items()
        if value != getattr(DEFAULT, name)
    }
    kept.save(update_fields=["notification_preferences"])
    publishing.reschedule(user)
    return changed_preferences


def set_channel(user: User, channel: Channel, there_is: bool) -> None:
    """Notes whether there is anything at all to send to by this channel."""
    ways = {way for way in of(User.objects.get(pk=user.pk)).ways if way != channel}
    change(user, ways=tuple(sorted(ways | {str(channel)} if there_is else ways)))


def wants_email(user: User, kind: NotificationKind) -> bool:
    """Whether e-mails of this kind go to `user`: the links in e-mails stop them list by list."""
    listed = user.reminder_emails if kind == NotificationKind.REMINDER else user.match_emails
    return listed and of(user).wants(Channel.EMAIL, kind)
