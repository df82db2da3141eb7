"""Signals by which the lobby asks the rooms above for guests who are always there to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.dispatch import Signal

if TYPE_CHECKING:
    from accounts.models import User
    from games.lobby.models import Invitation

# Which levels do they play? Receivers return pairs of a key and its words.
levels_wanted = Signal()
# Who plays a level? Receivers return the user, or None for a level of others. Arguments: level.
guest_wanted = Signal()
# One of them was challenged, in this transaction. Receivers accept for their own, or raise a
# Refusal, so that nothing was offered. What they leave open may be accepted later.
# Arguments: invitation.
guest_challenged = Signal()


def levels() -> list[tuple[str, str]]:
    """The levels of guests who are always there, the easiest first."""
    answers: Any = levels_wanted.send(sender=None)
    return [pair for _receiver, answer in answers for pair in answer]


def guest_of(level: str) -> User | None:
    """Who plays that level."""
    answers: Any = guest_wanted.send(sender=None, level=level)
    return next((guest for _receiver, guest in answers if guest is not None), None)


def let_accept(invitation: Invitation) -> None:
    """Let whoever answers for its guest accept an invitation now; raises Refusal."""
    guest_challenged.send(sender=None, invitation=invitation)
    invitation.refresh_from_db()
