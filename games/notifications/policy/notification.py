"""Notification: how one event is presented to its readers, for all channels.

catalogue.py declares them all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.functional import Promise

from games.notifications.policy import relevance
from games.notifications.policy.kinds import ACTING, NotificationKind
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import (
    DecisionView,
    FollowedView,
    Ids,
    InvitationView,
    LadderView,
    OutageView,
    QueueView,
    TournamentView,
    View,
)
from games.outbox.events import Event
from games.outbox.handling import Superseded
from games.outbox.models import Dispatch

# A format string with names of `public_facts`, or a function that writes the text from the view.
Text = str | Promise | Callable[[Any], str]


@dataclass(frozen=True)
class Notification:
    """The texts, the kind and the condition of the notifications of one event."""

    event: type[Event]
    kind: NotificationKind  # its row of boxes on the settings page
    # Given the view and the event's ids; checked before sending.
    still_true: Callable[[Any, Ids], bool]
    title: Text  # public facts only: locked screens and other people's channels show it
    email: str  # the folder of its templates in templates/mail
    sentence: Text = ""  # in its e-mail only
    delay: timedelta = timedelta(0)  # how long after the event it is sent at the earliest
    due: Callable[[Ids], datetime] | None = None  # when it is sent at the earliest, by its ids
    tells_ply: bool = False  # a push describes the ply, if the reader wants that

    @property
    def name(self) -> str:
        """The name of its event, in rows of the outbox."""
        return self.event.name

    def current_view(self, dispatch: Dispatch, prefetch: Prefetch | None = None) -> View | None:
        """What it is about, as the reader may see it now, or as just prefetched.

        None if the notification is no longer true.
        """
        view = relevance.current_view(dispatch, prefetch)
        return view if view and self.still_true(view, dispatch.ref) else None

    def require_view(self, dispatch: Dispatch) -> View:
        """Like `current_view`, but raises Superseded instead of returning None."""
        view = self.current_view(dispatch)
        if view is None:
            raise Superseded
        return view

    def title_of(self, view: View) -> str:
        return _fill(self.title, view)

    def sentence_of(self, view: View) -> str:
        return _fill(self.sentence, view)

    def due_at(self, dispatch: Dispatch) -> datetime:
        """The instant at which a row is sent at the earliest."""
        return self.due(dispatch.ref) if self.due else dispatch.created_at + self.delay

    @property
    def asks_to_act(self) -> bool:
        """Whether it asks the reader to act, so that it says how many matches wait."""
        return self.kind in ACTING


def _fill(text: Text, view: View) -> str:
    return text(view) if callable(text) else str(text) % public_facts(view)


def public_facts(view: View) -> dict[str, object]:
    """The values that texts of a notification may name; public facts only."""
    if isinstance(view, InvitationView):
        return {"other": view.other}
    if isinstance(view, DecisionView | QueueView):
        return {}
    if isinstance(view, TournamentView):
        return {"tournament": view.tournament.title, "number": view.tournament.pk}
    if isinstance(view, OutageView):
        first = view.players[0]
        values = {"opponent": first.opponent.user, "number": first.match_id}
        return {**values, "count": len(view.players)}
    if isinstance(view, LadderView):
        return {"game": view.ladder.title}
    if isinstance(view, FollowedView):
        return {"names": " – ".join(view.names.values()), "number": view.match.pk}
    assert view.opponent is not None  # noqa: S101 - only players are notified
    return {"opponent": view.opponent.user, "number": view.match.pk}
