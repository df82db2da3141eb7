"""A notification: what one event tells, declared once and read by every channel.

All of them are in catalogue.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from games.notifications.policy import relevance
from games.notifications.policy.kinds import ACTING, NotificationKind
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import Ids, InvitationView, OutageView, expect
from games.outbox.models import Dispatch
from games.play.record.match_view import MatchView

View = MatchView | InvitationView | OutageView

# Words with the names of `facts` in them, or a function of the view that writes the text.
Words = str | Promise | Callable[[Any], str]


@dataclass(frozen=True)
class Notification:
    """What one event tells its reader, and by which e-mail."""

    event: str  # as it is posted to the outbox
    kind: NotificationKind  # the row of boxes by which people choose it
    still_true: Callable[[Any, Ids], bool]  # asked of the view before anything leaves
    title: Words  # public facts alone: locked screens and other people's channels show it
    email: str  # the folder of its templates in templates/mail
    sentence: Words = ""  # one more, in its e-mail alone
    tells_ply: bool = False  # a push tells what the ply did, to whoever wants that

    def see(self, dispatch: Dispatch, prefetch: Prefetch | None = None) -> View:
        """What it is about as the reader sees it now, or as prefetched a moment ago.

        Raises Superseded where it no longer is as the notification says.
        """
        view = relevance.look(dispatch, prefetch)
        expect(self.still_true(view, dispatch.ref))
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
