"""Silence: by a moderator's decision, a person may write nothing to other players for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.people.models import Decision, Outcome
from games.play.words.times import Instant
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User


class Silenced(Refusal):
    """A person may write nothing to other players for now."""


@dataclass(frozen=True)
class _Quoted:
    """Words of a moderator, which are not translated."""

    words: str

    def __str__(self) -> str:
        return self.words


def is_silenced(user: User) -> bool:
    """Whether a user may write nothing to others now."""
    return user.silenced_until is not None and user.silenced_until > now()


def check(user: User) -> None:
    """Raise Silenced, with its end and the reason, if a user may write nothing to others now.

    A decision about a person counts for their bots.

    One query for somebody who was silenced, none for anybody else.
    """
    until = user.silenced_until
    if until is None or not is_silenced(user):
        return
    silence = decisions_in_force(user.owner_id or user.pk).order_by("-until").first()
    if silence is None:
        raise Silenced(
            gettext_noop(
                "A moderator has decided that you may write nothing to other players until "
                "%(until)s. You can play as before."
            ),
            until=Instant(until),
        )
    raise Silenced(
        gettext_noop(
            "A moderator has decided that you may write nothing to other players until "
            "%(until)s. You can play as before. The reason: %(reason)s"
        ),
        until=Instant(until),
        reason=_Quoted(silence.reason),
    )


def decisions_in_force(user_id: int) -> QuerySet[Decision]:
    """The decisions that silence a user now."""
    return Decision.objects.filter(
        report__person=user_id, outcome=Outcome.SILENCED, replaced=False, until__gt=now()
    )
