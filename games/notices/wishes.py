"""What somebody wishes to be told, and how; kept in the one JSON column of their own row.

So no notice costs a query to find out. What is not written there is as it is by default, and what
is written there and makes no sense counts as not written.
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
from games.notices.kinds import Channel, Detail, Kind
from games.relay import outbox


class Rhythm(TextChoices):
    NOW = "now", _("At once")
    CALM = "calm", _("Calm")
    DAILY = "daily", _("One letter a day")
    TWICE = "twice", _("Two letters a day")


@dataclass(frozen=True)
class Wishes:
    rhythm: str = Rhythm.CALM
    first_hour: int = 8  # of a digest, by the reader's clocks
    second_hour: int = 18
    quiet_from: int | None = None  # the hour at which it grows quiet
    quiet_until: int | None = None
    email_detail: str = Detail.BOARD
    push_detail: str = Detail.TURN
    unwanted: tuple[str, ...] = ()  # "push turn"
    # Which ways there are beside letters; so a move of somebody who has none asks no table.
    ways: tuple[str, ...] = ()

    def wants(self, channel: Channel, kind: Kind) -> bool:
        return f"{channel} {kind}" not in self.unwanted

    @property
    def is_digest(self) -> bool:
        return self.rhythm in (Rhythm.DAILY, Rhythm.TWICE)

    @property
    def hours(self) -> tuple[int, ...]:
        """The hours of the day at which a digest leaves."""
        return (
            (self.first_hour,)
            if self.rhythm == Rhythm.DAILY
            else (self.first_hour, self.second_hour)
        )


DEFAULT = Wishes()
_CHOICES: dict[str, Collection[Any]] = {
    "rhythm": Rhythm.values,
    "email_detail": Detail.values,
    "push_detail": (Detail.TURN, Detail.MOVE),
}
_made = lru_cache(maxsize=1000)(Wishes)  # asked several times for each notice
_HOURS = ("first_hour", "second_hour", "quiet_from", "quiet_until")


def of(user: User) -> Wishes:
    """The wishes of this person."""
    written = user.notices if isinstance(user.notices, dict) else {}
    known: dict[str, Any] = {}
    for name, value in written.items():
        if name in ("unwanted", "ways"):
            if isinstance(value, list):
                known[name] = tuple(str(item) for item in value)
        elif name in _CHOICES:
            if value in _CHOICES[name]:
                known[name] = value
        elif name in _HOURS and type(value) is int and 0 <= value < 24:
            known[name] = value
    return _made(**known)


@transaction.atomic
def change(user: User, **changed: Any) -> Wishes:
    """Writes some of them anew; what waits in the outbox for this person is thought over again."""
    kept = User.objects.select_for_update().get(pk=user.pk)
    wishes = replace(of(kept), **changed)
    user.notices = kept.notices = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(wishes).items()
        if value != getattr(DEFAULT, name)
    }
    kept.save(update_fields=["notices"])
    outbox.reconsider(user)
    return wishes


def set_way(user: User, channel: Channel, there_is: bool) -> None:
    """Writes down whether there is anything at all to tell by this way."""
    ways = {way for way in of(User.objects.get(pk=user.pk)).ways if way != channel}
    change(user, ways=tuple(sorted(ways | {str(channel)} if there_is else ways)))


def wants_letters(user: User, kind: Kind) -> bool:
    """Whether letters of this kind go to `user`: the links in letters stop them list by list."""
    listed = user.reminder_letters if kind == Kind.REMINDER else user.match_letters
    return listed and of(user).wants(Channel.EMAIL, kind)
