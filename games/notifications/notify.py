"""Handler of all notifications: plan the other channels, decide about the e-mail, deliver it.

If the reader has a plan for the turn, it answers first. From there on the turn has passed, as if it
had been answered by hand: no channel shows it, and no row shows that there was a plan.
"""

from accounts.models import User
from games.notifications import catalogue, planning
from games.notifications.email import digests, offers, single
from games.notifications.policy import preferences
from games.notifications.policy.decision import Digest, Drop, Send, Wait, decide
from games.notifications.policy.notification import Notification
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import View, reader_of
from games.outbox.handling import Batch, Later, Superseded
from games.outbox.models import Dispatch, Reason
from games.play.commands.plans.answering import Outcome, answer_turn, answer_turns
from games.play.events import TurnCame
from games.play.record.match_view import MatchView
from lib.db_clock import now


def notify(dispatch: Dispatch, batch: Batch) -> None:
    """Handle a reader's row: plan their other channels, then send, delay or drop the e-mail."""
    notification, reader = catalogue.find(dispatch.event), reader_of(dispatch)
    due = notification.due_at(dispatch)
    if due > dispatch.created_at and due > (dispatch.claimed_at or now()):
        raise Later(due)
    prefetch = Prefetch.for_batch(batch)
    if dispatch.event == TurnCame.name:
        _answer_by_plan(dispatch, reader, prefetch)
    planned = None
    if preferences.read(reader).ways:
        # A digest closes its rows, so their other channels have to be planned before.
        planned = digests.digest_rows(dispatch, reader)
        planning.plan_channels(reader, planned)
    match decide(notification, dispatch, reader, prefetch):
        case Drop(why):
            raise Superseded(why)
        case Wait(until):
            raise Later(until)
        case Digest():
            _answer_others_by_plan(dispatch, reader)
            digests.deliver(dispatch, reader, batch, planned)
        case Send(view, calm):
            _deliver(notification, dispatch, reader, batch, view, calm=calm)


def _answer_by_plan(dispatch: Dispatch, reader: User, prefetch: Prefetch) -> None:
    """Let the reader's plan answer the turn, if they have one for it."""
    if not prefetch.may_have_plan(dispatch):
        return
    outcome = answer_turn(dispatch.ref["match"], reader.pk, dispatch.ref["ply"])
    if outcome is not Outcome.NOTHING:
        prefetch.forget(dispatch)


def _answer_others_by_plan(dispatch: Dispatch, reader: User) -> None:
    """As `_answer_by_plan`, for the turns of the other rows that a digest closes."""
    rows = digests.digest_rows(dispatch, reader)
    turns = {row.ref["match"]: row.ref["ply"] for row in rows if row.event == TurnCame.name}
    answer_turns(reader.pk, turns)


def _deliver(
    notification: Notification,
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    view: View,
    *,
    calm: bool,
) -> None:
    """Send the e-mail; an offer and a turn that are due together are reported in one."""
    if dispatch.event in offers.OFFERS and isinstance(view, MatchView):
        if offers.is_reported(dispatch):
            raise Superseded(Reason.WITH_TURN)
        if until := offers.wait_for_turn(dispatch, view):
            raise Later(until)
    single.deliver(notification, dispatch, reader, batch, view, calm=calm)
    if dispatch.event == TurnCame.name and isinstance(view, MatchView):
        offers.close_reported(dispatch, view)
