"""Notification: what readers are told about one event; read by every channel.

All of them are in catalogue.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from games.notifications.policy import relevance
from games.notifications.policy.kinds import ACTING, NotificationKind
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import Ids, InvitationView, OutageView
from games.outbox.events import Event
from games.outbox.handling import Superseded
from games.outbox.models import Dispatch
from games.play.record.match_view import MatchView

View = MatchView | InvitationView | OutageView

# Words with the names of `facts` in them, or a function of the view that writes the text.
Words = str | Promise | Callable[[Any], str]


@dataclass(frozen=True)
class Notification:
    """What one event tells its reader, and by which e-mail."""

    event: type[Event]
    kind: NotificationKind  # the row of boxes by which people choose it
    still_true: Callable[[Any, Ids], bool]  # asked of the view before anything leaves
    title: Words  # public facts alone: locked screens and other people's channels show it
    email: str  # the folder of its templates in templates/mail
    sentence: Words = ""  # one more, in its e-mail alone
    tells_ply: bool = False  # a push tells what the ply did, to whoever wants that

    @property
    def name(self) -> str:
        """The name of its event, in rows of the outbox."""
        return self.event.name

    def look(self, dispatch: Dispatch, prefetch: Prefetch | None = None) -> View | None:
        """What it is about as the reader sees it now, or as prefetched a moment ago.

        None where it no longer is as the notification says.
        """
        view = relevance.look(dispatch, prefetch)
        return view if view and self.still_true(view, dispatch.ref) else None

    def see(self, dispatch: Dispatch) -> View:
        """As `look`; raises Superseded instead."""
        view = self.look(dispatch)
        if view is None:
            raise Superseded
        return view

    def title_of(self, view: View) -> str:
        return _fill(self.title, view)

    def sentence_of(self, view: View) -> str:
        return _fill(self.sentence, view)

    @property
    def asks_to_act(self) -> bool:
        """Whether it says that a match waits for the reader, and so counts those that do."""
        return self.kind in ACTING


def _fill(words: Words, view: View) -> str:
    return words(view) if callable(words) else str(words) % facts(view)


def facts(view: View) -> dict[str, object]:
    """The public facts that may be named in the words of a notification."""
    if isinstance(view, InvitationView):
        return {"other": view.other}
    if isinstance(view, OutageView):
        first = view.players[0]
        facts = {"opponent": first.opponent.user, "number": first.match_id}
        return {**facts, "count": len(view.players)}
    assert view.opponent is not None  # noqa: S101 - only players are notified
    return {"opponent": view.opponent.user, "number": view.match.pk}
